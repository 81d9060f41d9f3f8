import { AUTHORIZATION_ERRORS } from "@partner-connect/public-api";
import type { RequestFacts } from "@partner-connect/service-runtime";
import { HttpError } from "../errors/http-error.ts";

/** Nobody can be redirected to, so the merchant sees the error page (spec, Outcomes, last row). */
export class UnredirectableError extends HttpError {
  readonly kind: "client" | "client_disabled" | "redirect_uri" | "state";

  constructor(kind: UnredirectableError["kind"], detail: string, client: HttpError["client"] = null) {
    const page = kind === "client_disabled" ? "client_disabled" : "invalid_link";
    const reason = kind === "client_disabled" ? kind : `invalid_${kind}`;
    super(400, "bad_request", page, { reason, detail, outcome: "refused" }, { developerDetail: detail, client });
    this.kind = kind;
  }
}

/** Spec, Outcomes: invalid scope, response_type or PKCE parameters go back to the client. */
export class RedirectableError extends Error {
  readonly redirectUri: string;
  readonly state: string;
  readonly facts: RequestFacts;

  constructor(redirectUri: string, state: string, reason: string, description: string) {
    super(description);
    this.facts = { reason, detail: description, outcome: "refused", error: AUTHORIZATION_ERRORS.invalidRequest };
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
