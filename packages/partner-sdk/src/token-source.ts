import type { Credential } from "./api-caller.ts";
import { InvalidGrant, OnHold, PartnerConnectError, ReconnectRequired } from "./errors.ts";
import { type Clock, unlessAborted } from "./network.ts";
import { type ConnectionStore, readConnection } from "./stores.ts";
import type { IssuedTokens, TokenClient } from "./token-client.ts";

/**
 * A refused refresh token is not sent again for this long, because dead connections would use up
 * the limit of token calls.
 */
const ENDED_MS = 15 * 60_000;

/**
 * The access token of one connection: refreshed on demand, a minute before it expires, one refresh
 * at a time.
 */
export class TokenSource implements Credential {
  readonly #connectionId: string;
  readonly #store: ConnectionStore;
  readonly #client: TokenClient;
  readonly #clock: Clock;
  #tokens: IssuedTokens | null = null;
  #renewal: Promise<IssuedTokens> | null = null;
  #ended: {
    readonly refreshToken: string;
    readonly error: unknown;
    readonly until: number;
  } | null = null;

  constructor(connectionId: string, store: ConnectionStore, client: TokenClient, clock: Clock) {
    this.#connectionId = connectionId;
    this.#store = store;
    this.#client = client;
    this.#clock = clock;
  }

  async authorization(signal?: AbortSignal): Promise<string> {
    signal?.throwIfAborted();
    const tokens = this.#tokens;
    if (tokens !== null && this.#clock.now() < tokens.renewAt) return bearer(tokens);
    try {
      return bearer(await unlessAborted(this.#sharedRenewal(), signal));
    } catch (error) {
      // The current token is valid until it expires, even if its refresh fails.
      const isGood =
        tokens !== null &&
        tokens.accessToken === this.#tokens?.accessToken &&
        this.#clock.now() < tokens.expiresAt;
      if (isGood && error instanceof PartnerConnectError && !isRefusal(error))
        return bearer(tokens);
      throw error;
    }
  }

  /** Has the token renewed; for a missing scope, only if it is older than a minute. */
  refused(authorization: string, { code }: PartnerConnectError): boolean {
    const tokens = this.#tokens;
    if (tokens === null || bearer(tokens) !== authorization) return true;
    const lacksScope = code === "insufficient_scope";
    if (lacksScope && this.#clock.now() < tokens.issuedAt + 60_000) return false;
    // If that refresh fails, other calls may still use the token.
    this.#tokens = lacksScope ? { ...tokens, renewAt: 0 } : null;
    return true;
  }

  /**
   * Call it when the feed reports the connection as connected. Requests a token, and ignores
   * refusals of earlier requests.
   */
  expectConnected(): void {
    this.#ended = null;
    this.#renewal = null;
    this.authorization().catch(() => {});
  }

  /** Sets the tokens of a new exchange; null if the connection was forgotten. */
  adopt(tokens: IssuedTokens | null): void {
    this.#ended = null;
    this.#tokens = tokens;
  }

  #sharedRenewal(): Promise<IssuedTokens> {
    if (this.#renewal) return this.#renewal;
    const renewal = this.#renew().finally(() => {
      if (this.#renewal === renewal) this.#renewal = null;
    });
    this.#renewal = renewal;
    return renewal;
  }

  async #renew(): Promise<IssuedTokens> {
    const before = this.#tokens;
    const { refreshToken } = await readConnection(this.#store, this.#connectionId);
    const renewed = await this.#refresh(refreshToken).catch(async (error) => {
      // Another process may have connected the shop again.
      const newer = isRefusal(error)
        ? (await readConnection(this.#store, this.#connectionId)).refreshToken
        : refreshToken;
      if (newer === refreshToken) throw error;
      return await this.#refresh(newer);
    });
    // Tokens set during the refresh belong to a newer approval.
    if (this.#tokens === null || this.#tokens.accessToken === before?.accessToken)
      this.#tokens = renewed;
    return this.#tokens;
  }

  async #refresh(refreshToken: string): Promise<IssuedTokens> {
    const ended = this.#ended;
    if (ended?.refreshToken === refreshToken && this.#clock.now() < ended.until) throw ended.error;
    const renewal = this.#renewal;
    try {
      return await this.#client.refresh(this.#connectionId, refreshToken);
    } catch (error) {
      const isCurrent = this.#renewal === renewal;
      if (isRefusal(error) && isCurrent)
        this.#ended = { refreshToken, error, until: this.#clock.now() + ENDED_MS };
      throw error;
    }
  }
}

const bearer = ({ accessToken }: IssuedTokens): string => `Bearer ${accessToken}`;

/** True if the refresh token was refused, and so is not sent again for a while. */
export function isRefusal(error: unknown): boolean {
  return [ReconnectRequired, OnHold, InvalidGrant].some((kind) => error instanceof kind);
}
