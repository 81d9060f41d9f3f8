import type { Client } from "@partner-connect/directory";
import type { RevocationParameter, TokenParameter } from "@partner-connect/public-api";
import { TokenError } from "./token-error.ts";

/** A token request's parameters: each at most once, and an empty one counts as left out (RFC 6749 §3.1, §3.2). */
export class TokenRequest {
  readonly #parameters: ReadonlyMap<string, string>;

  /** @throws {TokenError} invalid_request */
  constructor(form: unknown) {
    if (!(form instanceof URLSearchParams)) {
      throw new TokenError(
        "invalid_request",
        "the content type must be application/x-www-form-urlencoded",
        "not_a_form",
      );
    }
    const parameters = new Map<string, string>();
    for (const [name, value] of form) {
      if (parameters.has(name))
        throw new TokenError("invalid_request", "a parameter is given more than once", "repeated_parameter");
      parameters.set(name, value);
    }
    this.#parameters = parameters;
  }

  optional(name: TokenParameter | RevocationParameter): string | undefined {
    return this.#parameters.get(name) || undefined;
  }

  /** @throws {TokenError} invalid_request */
  required(name: TokenParameter | RevocationParameter): string {
    const value = this.optional(name);
    if (value === undefined) throw missingParameter(name);
    return value;
  }
}

export function missingParameter(name: TokenParameter | RevocationParameter): TokenError {
  return new TokenError("invalid_request", `${name} is missing`, "missing_parameter");
}

/** @throws {TokenError} unauthorized_client */
export function requireGrantType(client: Client, grantType: Client["grantTypes"][number]): void {
  if (client.grantTypes.includes(grantType)) return;
  throw new TokenError("unauthorized_client", `this client may not use ${grantType}`, "grant_type_not_allowed");
}
