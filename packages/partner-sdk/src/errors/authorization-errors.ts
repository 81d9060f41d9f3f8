import { PartnerConnectError } from "./partner-connect-error.ts";

/** The `state` of the callback is not the one of `pending`: it belongs to another attempt, or somebody made it up. Do nothing with it. */
export class StateMismatch extends PartnerConnectError {
  readonly code = "state_mismatch";
}

/** There is no `pending` for this callback, or it has no usable `codeVerifier`: the session was lost. Begin again. */
export class MissingVerifier extends PartnerConnectError {
  readonly code = "missing_verifier";
}

/** The `iss` of the callback is missing or another server's (RFC 9207). The code is not ours, and is sent to nobody. */
export class IssuerMismatch extends PartnerConnectError {
  readonly code = "issuer_mismatch";
}

/** The merchant declined, or has no shop that can be connected. Offer them to try again; don't begin by yourself. */
export class AuthorizationDenied extends PartnerConnectError {
  readonly code = "authorization_denied";
}

/** The answer with the tokens was lost, and a code works once. Nothing was stored. Begin again: `beginAuthorization`. */
export class AnswerLost extends PartnerConnectError {
  readonly code = "answer_lost";
}

/** The base URL is none, or it is plain http and not on this machine, so that secrets would be readable on their way. */
export class InvalidBaseUrl extends PartnerConnectError {
  readonly code = "invalid_base_url";
}
