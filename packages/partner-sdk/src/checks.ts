import { InvalidBaseUrl, InvalidRequest } from "./errors.ts";

/**
 * `text` without trailing slashes. @throws {InvalidBaseUrl} if it is not a server's URL, or would
 * send secrets unencrypted
 */
export function checkedBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InvalidBaseUrl("the base URL must be an absolute https URL");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new InvalidBaseUrl("the base URL must have no credentials, no query and no fragment");
  }
  const isLoopback = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === "http:" && !isLoopback) {
    throw new InvalidBaseUrl(
      "the base URL must be https: plain http is for this machine only (localhost, 127.0.0.1, [::1])",
    );
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/** Prefixes of credentials. An access token is a JWT. */
const FORMS: Readonly<Record<string, string>> = {
  client_: "a client id",
  pcs_: "a client secret",
  pck_: "an API key",
  pcr_: "a refresh token",
  eyJ: "an access token",
};
const OWN_FORM = { clientId: "client_", clientSecret: "pcs_", apiKey: "pck_" } as const;

/**
 * Returns `value` if it can be this credential. Messages never repeat it. @throws {InvalidRequest}
 */
export function checkedCredential(name: keyof typeof OWN_FORM, value: string): string {
  const refuse = (problem: string) => new InvalidRequest(`${name} ${problem}`, name);
  if (typeof value !== "string" || value === "")
    throw refuse("is empty: is the environment variable set?");
  if (!/^[\x21-\x7e]+$/.test(value))
    throw refuse("has a space, a line break or another character that it can't have");
  const form = Object.keys(FORMS).find((start) => value.startsWith(start)) ?? OWN_FORM[name];
  if (form !== OWN_FORM[name]) throw refuse(`is ${FORMS[form]}`);
  return value;
}

/** The `scope` parameter of the authorize link. @throws {InvalidRequest} */
export function checkedScope(scope: readonly string[]): string {
  if (!Array.isArray(scope) || scope.length === 0 || scope.includes("")) {
    const problem = "scope must be a list with at least one name, such as responses:read";
    throw new InvalidRequest(problem, "scope");
  }
  return scope.join(" ");
}
