import { type ErrorDetail, PartnerConnectError } from "./partner-connect-error.ts";

/**
 * Why the merchant must connect again, as the server says it: not used for 30 days; ended or on hold; or approved again since, and the store
 * has no token of that approval, as it was never completed, or another store has it.
 */
export type ReconnectReason = "refresh token expired" | "grant revoked" | "superseded by a newer authorization";

/** The merchant must connect again: show them a button that begins an authorization. Repeating the call changes nothing. */
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
 * The code or the refresh token can't be used, for another reason than those of `ReconnectRequired`: used or expired. Don't
 * repeat it. If the store has no newer token, the merchant must connect again.
 */
export class InvalidGrant extends PartnerConnectError {
  readonly code = "invalid_grant";
  /** Null where a code was refused. */
  readonly connectionId: string | null;

  constructor(connectionId: string | null, description: string, detail?: ErrorDetail) {
    super(`the ${connectionId === null ? "code" : "refresh token"} was refused: ${description}`, detail);
    this.connectionId = connectionId;
  }
}

/** `clientId` and `clientSecret` are not accepted: wrong, rotated, or the client is disabled. Connections are not affected. */
export class InvalidClient extends PartnerConnectError {
  readonly code = "invalid_client";
}

/** The address that you call from is over its limit of token calls, and would stay so for longer than `tokenWaitSeconds`. */
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

/** The store has no connection with this id. It was disconnected, or never completed. */
export class UnknownConnection extends PartnerConnectError {
  readonly code = "unknown_connection";
  readonly connectionId: string;

  constructor(connectionId: string) {
    super("the store has no connection with this id");
    this.connectionId = connectionId;
  }
}

/** Your store failed; `cause` is what it threw. What it held before, it still holds: repeat the call. */
export class StoreFailed extends PartnerConnectError {
  readonly code = "store_failed";
}
