import type { Client } from "@partner-connect/directory";
import { TokenError } from "../clients/token-error.ts";
import type { RevocationParameter, TokenParameter } from "../protocol.ts";

type Parameter = TokenParameter | RevocationParameter;

/**
 * The parameters of a token or revocation request. Repeated ones are refused, and empty ones count
 * as absent (RFC 6749 §3.1, §3.2).
 */
export class TokenRequest {
  readonly #form: URLSearchParams;

  /** @throws {TokenError} invalid_request */
  constructor(form: unknown) {
    if (!(form instanceof URLSearchParams)) {
      const description = "the content type must be application/x-www-form-urlencoded";
      throw new TokenError("invalid_request", description, "not_a_form");
    }
    this.#form = form;
  }

  /** @throws {TokenError} invalid_request */
  optional(name: Parameter): string | undefined {
    const [value, ...more] = this.#form.getAll(name);
    if (more.length === 0) return value || undefined;
    const description = `${name} is given more than once`;
    throw new TokenError("invalid_request", description, "repeated_parameter");
  }

  /** @throws {TokenError} invalid_request */
  required(name: Parameter): string {
    const value = this.optional(name);
    if (value !== undefined) return value;
    throw new TokenError("invalid_request", `${name} is missing`, "missing_parameter");
  }

  /**
   * A code or a token. Whitespace around it makes the request malformed, not the grant invalid.
   * @throws {TokenError} invalid_request
   */
  credential(name: "code" | "refresh_token" | "token"): string {
    const value = this.required(name);
    if (value === value.trim()) return value;
    const description = `${name} begins or ends with whitespace`;
    throw new TokenError("invalid_request", description, "malformed_parameter");
  }
}

/** @throws {TokenError} unauthorized_client */
export function requireGrantType(client: Client, grantType: Client["grantTypes"][number]): void {
  if (client.grantTypes.includes(grantType)) return;
  const description = `this client may not use ${grantType}`;
  throw new TokenError("unauthorized_client", description, "grant_type_not_allowed");
}
