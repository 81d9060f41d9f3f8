export interface ErrorDetail extends ErrorOptions {
  /** The `x-request-id` of the response, to quote to support. */
  readonly requestId?: string | undefined;
}

/** Base class of all errors of the SDK. No message or property contains a token, code or secret. */
export abstract class PartnerConnectError extends Error {
  /** Stable; messages may change. */
  abstract readonly code: string;
  readonly requestId: string | undefined;

  constructor(message: string, { requestId, ...options }: ErrorDetail = {}) {
    super(message, options);
    this.name = new.target.name;
    this.requestId = requestId;
  }

  /** True if the same call may succeed later without any intervention. */
  get isTemporary(): boolean {
    return ["token_limit_reached", "unavailable", "store_failed"].includes(this.code);
  }
}

/**
 * The `state` of the callback is not the one of `pending`: it belongs to another attempt, or is
 * forged. Ignore it.
 */
export class StateMismatch extends PartnerConnectError {
  readonly code = "state_mismatch";
}

/**
 * There is no `pending` for this callback, or it has no usable `codeVerifier`: the session was
 * lost. Begin again.
 */
export class MissingVerifier extends PartnerConnectError {
  readonly code = "missing_verifier";
}

/**
 * The `iss` of the callback is missing or another server's (RFC 9207). The code is not sent
 * anywhere.
 */
export class IssuerMismatch extends PartnerConnectError {
  readonly code = "issuer_mismatch";
}

/** The merchant declined, or has no shop that can be connected. Offer them to try again. */
export class AuthorizationDenied extends PartnerConnectError {
  readonly code = "authorization_denied";
}

/**
 * The response with the tokens was lost, and a code works once. Nothing was stored. Begin again
 * with `beginAuthorization`.
 */
export class AnswerLost extends PartnerConnectError {
  readonly code = "answer_lost";
}

/**
 * The URL is not a server's, or is plain http to another machine, so that secrets would be readable
 * on the network.
 */
export class InvalidBaseUrl extends PartnerConnectError {
  readonly code = "invalid_base_url";
}

/** A mistake in the request; `param` names the wrong parameter, if known. Retrying is useless. */
export class InvalidRequest extends PartnerConnectError {
  readonly code = "invalid_request";
  readonly param: string | null;

  constructor(message: string, param: string | null, detail?: ErrorDetail) {
    super(message, detail);
    this.param = param;
  }
}

/** The API refuses even a new credential: an API key was revoked, or a clock is wrong. */
export class Unauthorized extends PartnerConnectError {
  readonly code = "unauthorized";
}

/**
 * The connection can't be used, though it has just been refreshed: it ended or was put on hold in
 * between. The next call reports which.
 */
export class Forbidden extends PartnerConnectError {
  readonly code = "forbidden";
}

/** The connection, the client or the shop's plan lacks `scope`. */
export class InsufficientScope extends PartnerConnectError {
  readonly code = "insufficient_scope";
  readonly scope: string | null;

  constructor(scope: string | null, detail?: ErrorDetail) {
    super(
      scope === null ? "the call needs another scope" : `the call needs the scope ${scope}`,
      detail,
    );
    this.scope = scope;
  }
}

/**
 * The server was restored from a backup older than this cursor. Read `changes` from the beginning;
 * `follow` does so.
 */
export class CursorExpired extends PartnerConnectError {
  readonly code = "cursor_expired";
}

/** The webhook is not signed with your secret, or is too old. Answer 400, and ignore it. */
export class InvalidWebhook extends PartnerConnectError {
  readonly code = "invalid_webhook";
}

/** All retries failed. Your credentials may be fine. Try again after `retryAfterSeconds`. */
export class Unavailable extends PartnerConnectError {
  readonly code = "unavailable";
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number, detail?: ErrorDetail) {
    super(message, detail);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * The connection was unused for 30 days, has ended, or is superseded: it was approved again, and
 * the store lacks that approval's token.
 */
export type ReconnectReason =
  | "refresh token expired"
  | "grant revoked"
  | "superseded by a newer authorization";

/** The connection has ended. Show a button that begins an authorization. */
export class ReconnectRequired extends PartnerConnectError {
  readonly code = "reconnect_required";
  readonly connectionId: string;
  readonly reason: ReconnectReason;

  constructor(connectionId: string, reason: ReconnectReason, detail?: ErrorDetail) {
    super(`the merchant must connect again: ${reason}`, detail);
    this.connectionId = connectionId;
    this.reason = reason;
  }
}

/**
 * The connection is paused. The merchant can't connect again. Keep the refresh token, which works
 * when the hold ends, and try again later.
 */
export class OnHold extends PartnerConnectError {
  readonly code = "on_hold";
  readonly connectionId: string;

  constructor(connectionId: string, detail?: ErrorDetail) {
    super("the connection is on hold", detail);
    this.connectionId = connectionId;
  }
}

/**
 * The code was used or has expired, or the refresh token is not one of yours. Begin again; retrying
 * is useless.
 */
export class InvalidGrant extends PartnerConnectError {
  readonly code = "invalid_grant";
  /** Null if a code was refused. */
  readonly connectionId: string | null;

  constructor(connectionId: string | null, description: string, detail?: ErrorDetail) {
    super(
      `the ${connectionId === null ? "code" : "refresh token"} was refused: ${description}`,
      detail,
    );
    this.connectionId = connectionId;
  }
}

/**
 * `clientId` or `clientSecret` is wrong or was rotated, or the client is disabled. Connections are
 * not affected.
 */
export class InvalidClient extends PartnerConnectError {
  readonly code = "invalid_client";
}

/** Your address exceeds its limit of token calls for longer than `tokenWaitSeconds`. */
export class TokenLimitReached extends PartnerConnectError {
  readonly code = "token_limit_reached";
  /** Null for the exchange of a code. */
  readonly connectionId: string | null;
  readonly retryAfterSeconds: number;

  constructor(connectionId: string | null, retryAfterSeconds: number, message: string) {
    super(message);
    this.connectionId = connectionId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The store has no connection with this id: it was disconnected, or never completed. */
export class UnknownConnection extends PartnerConnectError {
  readonly code = "unknown_connection";
  readonly connectionId: string;

  constructor(connectionId: string) {
    super("the store has no connection with this id");
    this.connectionId = connectionId;
  }
}

/** Your store threw `cause`. Stored data is unchanged, so repeat the call. */
export class StoreFailed extends PartnerConnectError {
  readonly code = "store_failed";
}
