import { AUTHORIZATION_ERRORS } from "@partner-connect/public-api";
import { HttpError } from "../errors/http-error.ts";

/** Nobody can be redirected to, so the merchant sees the error page (spec, Outcomes, last row). */
export class UnredirectableError extends HttpError {
  readonly kind: "client" | "client_disabled" | "redirect_uri" | "state";

  /** @param detail for the partner's developers: what exactly differs */
  constructor(kind: UnredirectableError["kind"], detail: string) {
    const page = kind === "client_disabled" ? "client_disabled" : "invalid_link";
    super(400, "bad_request", page, { developerDetail: detail });
    this.kind = kind;
  }
}

/** Spec, Outcomes: invalid scope, response_type or PKCE parameters go back to the client. */
export class RedirectableError extends Error {
  readonly redirectUri: string;
  readonly state: string;

  constructor(redirectUri: string, state: string, description: string) {
    super(description);
    this.redirectUri = redirectUri;
    this.state = state;
  }

  /** RFC 6749 §4.1.2.1; the spec names this one code for all of them. */
  parameters(issuer: string): Record<string, string> {
    return {
      error: AUTHORIZATION_ERRORS.invalidRequest,
      error_description: this.message,
      state: this.state,
      iss: issuer,
    };
  }
}
