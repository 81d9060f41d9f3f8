/** What an operator can do about a refusal, by its code. */
const HINTS: Readonly<Record<string, string>> = {
  UNKNOWN_SHOP: list("shop"),
  UNKNOWN_CLIENT: list("client"),
  UNKNOWN_MERCHANT: list("merchant"),
  UNKNOWN_MEMBER: "'partner-connect shop show SHOP' lists its members",
  LAST_OWNER: "'partner-connect shop add-member SHOP EMAIL --role owner' adds one",
  UNKNOWN_API_KEY: list("api-key"),
  UNKNOWN_CONNECTION: list("connection"),
  CLIENT_NAME_TAKEN: "choose another name, or --allow-duplicate-name",
  UNCONFIRMED_MERCHANT:
    "'partner-connect merchant reset-link EMAIL' makes a link that confirms it: send it to that address; or give --allow-unconfirmed",
  ROTATION_UNDER_WAY: "wait until then, or see 'partner-connect client rotate-secret --help' for --again and --now",
  NO_ROTATION: "without --again, the former secret overlaps the new one",
};

export function hintFor(code: string): string | null {
  return HINTS[code] ?? null;
}

function list(noun: string): string {
  return `'partner-connect ${noun} list' lists them all`;
}
