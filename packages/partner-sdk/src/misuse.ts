import { InvalidRequest } from "./errors/index.ts";

type CredentialName = "clientId" | "clientSecret" | "apiKey";

/** How each begins, as far as it can be told: an access token is a JWT. */
const FORMS: Readonly<Record<string, string>> = {
  client_: "a client id",
  pcs_: "a client secret",
  pck_: "an API key",
  pcr_: "a refresh token",
  eyJ: "an access token",
};
const OWN_FORM: Readonly<Record<CredentialName, string>> = {
  clientId: "client_",
  clientSecret: "pcs_",
  apiKey: "pck_",
};

/** `value`, unless it can't be this credential. No message repeats it. @throws {InvalidRequest} */
export function checkedCredential(name: CredentialName, value: string): string {
  const problem = problemOf(name, value);
  if (problem !== null) throw new InvalidRequest(`${name} ${problem}`, name);
  return value;
}

function problemOf(name: CredentialName, value: unknown): string | null {
  if (typeof value !== "string" || value === "") return "is empty: is the environment variable set?";
  if (!/^[\x21-\x7e]+$/.test(value)) return "has a space, a line break or another character that it can't have";
  const form = Object.keys(FORMS).find((start) => value.startsWith(start)) ?? OWN_FORM[name];
  return form === OWN_FORM[name] ? null : `is ${FORMS[form]}`;
}

/** Those of the server that this package comes from. */
const SCOPES = ["responses:read", "sources:write"];

/** As the authorize link takes it. @throws {InvalidRequest} */
export function checkedScope(scope: readonly string[]): string {
  const known = `this version of the SDK knows ${SCOPES.join(", ")}`;
  if (!Array.isArray(scope) || scope.length === 0) {
    throw new InvalidRequest(`scope must be a list with at least one name: ${known}`, "scope");
  }
  const unknown = scope.find((name) => !SCOPES.includes(name));
  if (unknown !== undefined) throw new InvalidRequest(`the scope '${unknown}' is unknown: ${known}`, "scope");
  return scope.join(" ");
}
