/** What an operator can do about a refusal, by its code. */
const HINTS: Readonly<Record<string, string>> = {
  UNKNOWN_SHOP: list("shop"),
  UNKNOWN_CLIENT: list("client"),
  UNKNOWN_MERCHANT: list("merchant"),
  UNKNOWN_API_KEY: list("api-key"),
  UNKNOWN_CONNECTION: list("connection"),
};

export function hintFor(code: string): string | null {
  return HINTS[code] ?? null;
}

function list(noun: string): string {
  return `'partner-connect ${noun} list' lists them all`;
}
