import { type ErrorDetail, PartnerConnectError } from "./partner-connect-error.ts";

/** A mistake in the request. `param` names the parameter that is wrong, where one does. Repeating it changes nothing. */
export class InvalidRequest extends PartnerConnectError {
  readonly code = "invalid_request";
  readonly param: string | null;

  constructor(message: string, param: string | null, detail?: ErrorDetail) {
    super(message, detail);
    this.param = param;
  }
}

/** The API refuses the credential, also a new one: an API key that was revoked, or a clock that is wrong. */
export class Unauthorized extends PartnerConnectError {
  readonly code = "unauthorized";
}

/** The connection may not be used now, though its refresh token works: an operator holds your client. */
export class Forbidden extends PartnerConnectError {
  readonly code = "forbidden";
}

/** The connection, the client or the shop's plan lacks the scope of this call. `scope` is what it needs. */
export class InsufficientScope extends PartnerConnectError {
  readonly code = "insufficient_scope";
  readonly scope: string | null;

  constructor(scope: string | null, detail?: ErrorDetail) {
    super(scope === null ? "the call needs another scope" : `the call needs the scope ${scope}`, detail);
    this.scope = scope;
  }
}

/**
 * The feed of changes has been set back behind this cursor, as the server's data was restored from a backup. Read it from the beginning:
 * one entry for each connection and kind. `follow` does so by itself.
 */
export class CursorExpired extends PartnerConnectError {
  readonly code = "cursor_expired";

  constructor(detail?: ErrorDetail) {
    super("the feed has been set back behind this cursor: read it from the beginning", detail);
  }
}

/** This is no webhook of yours, or it is too old: answer 400, and do nothing with it. */
export class InvalidWebhook extends PartnerConnectError {
  readonly code = "invalid_webhook";
}

/** The SDK has repeated the call as long as it may. It is never about your credentials. Try again after `retryAfterSeconds`. */
export class Unavailable extends PartnerConnectError {
  readonly code = "unavailable";
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number, detail?: ErrorDetail) {
    super(message, detail);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
