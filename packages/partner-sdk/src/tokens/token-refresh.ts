import type { Clock } from "../clock.ts";
import type { Credential } from "../credential.ts";
import { InvalidGrant, PartnerConnectError, ReconnectRequired } from "../errors/index.ts";
import type { StoredConnections } from "../stores/stored-connections.ts";
import { type HeldToken, heldToken } from "./held-token.ts";
import type { RefreshBatches } from "./refresh-batches.ts";
import type { SharedTokens } from "./shared-tokens.ts";
import type { IssuedTokens } from "./token-endpoint.ts";

export interface TokenSourceOptions {
  readonly connectionId: string;
  readonly connections: StoredConnections;
  readonly shared: SharedTokens;
  readonly refreshes: RefreshBatches;
  readonly clock: Clock;
}

interface EndedToken {
  readonly refreshToken: string;
  readonly error: PartnerConnectError;
  readonly until: number;
}

/** A refresh token that was refused is not sent again for so long: `invalid_grant` must not be retried in a loop. */
const ENDED_MS = 15 * 60_000;

/** The access token of one connection: made when it is asked for, renewed a minute before its end, one refresh at a time. */
export class TokenSource implements Credential {
  readonly #options: TokenSourceOptions;
  #held: HeldToken | null = null;
  #renewal: Promise<HeldToken> | null = null;
  #ended: EndedToken | null = null;
  #refused: string | null = null;

  constructor(options: TokenSourceOptions) {
    this.#options = options;
  }

  async authorization(signal?: AbortSignal): Promise<string> {
    signal?.throwIfAborted();
    const held = this.#held;
    if (held !== null && this.#options.clock.now() < held.renewAt) return held.authorization;
    try {
      return (await unlessAborted(this.#renewing(), signal)).authorization;
    } catch (error) {
      // The token that we have is good to its end, whatever kept us from getting the next one.
      const usable = held !== null && held === this.#held && this.#options.clock.now() < held.expiresAt;
      if (usable && error instanceof PartnerConnectError && !isEnd(error)) return held.authorization;
      throw error;
    }
  }

  refused(authorization: string): void {
    this.#refused = authorization;
    if (this.#held?.authorization === authorization) this.#held = null;
  }

  /** The server has just said that it is connected, so what it refused before counts no longer, nor what it was asked before. */
  expectConnected(): void {
    this.#ended = null;
    this.#renewal = null;
    this.authorization().catch(() => {});
  }

  end(): void {
    this.#held = null;
  }

  /** The connection was made, or made again: these are its tokens now. */
  async adopt(tokens: IssuedTokens, refreshToken: string): Promise<void> {
    const held = heldToken(tokens);
    this.#held = held;
    this.#ended = null;
    const { shared, connectionId } = this.#options;
    await shared.put(connectionId, refreshToken, held);
  }

  #renewing(): Promise<HeldToken> {
    if (this.#renewal) return this.#renewal;
    const renewal = this.#renew().finally(() => {
      if (this.#renewal === renewal) this.#renewal = null;
    });
    this.#renewal = renewal;
    return renewal;
  }

  async #renew(): Promise<HeldToken> {
    const { connections, connectionId } = this.#options;
    const before = this.#held;
    const { refreshToken } = await connections.get(connectionId);
    try {
      return this.#replace(before, (await this.#shared(refreshToken)) ?? (await this.#refresh(refreshToken)));
    } catch (error) {
      if (!isEnd(error)) throw error;
      // The merchant may have connected again meanwhile, by way of another process.
      const newer = await connections.get(connectionId);
      if (newer.refreshToken === refreshToken) throw error;
      return this.#replace(before, await this.#refresh(newer.refreshToken));
    }
  }

  /** What was adopted meanwhile is of a newer approval, and stays. */
  #replace(before: HeldToken | null, renewed: HeldToken): HeldToken {
    if (this.#held === null || this.#held === before) this.#held = renewed;
    return this.#held;
  }

  async #shared(refreshToken: string): Promise<HeldToken | null> {
    const { shared, connectionId, clock } = this.#options;
    const held = await shared.get(connectionId, refreshToken);
    if (held === null || held.authorization === this.#refused || held.renewAt <= clock.now()) return null;
    return held;
  }

  async #refresh(refreshToken: string): Promise<HeldToken> {
    const { connectionId, shared, refreshes, clock } = this.#options;
    const ended = this.#ended;
    if (ended?.refreshToken === refreshToken && clock.now() < ended.until) throw ended.error;
    const asked = this.#renewal;
    try {
      const held = heldToken(await refreshes.refresh(connectionId, refreshToken));
      await shared.put(connectionId, refreshToken, held);
      return held;
    } catch (error) {
      if (isEnd(error) && this.#renewal === asked) this.#ended = { refreshToken, error, until: clock.now() + ENDED_MS };
      throw error;
    }
  }
}

/** The refresh token will never work again. */
export function isEnd(error: unknown): error is ReconnectRequired | InvalidGrant {
  return error instanceof ReconnectRequired || error instanceof InvalidGrant;
}

/** The others who wait for the same renewal go on waiting. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
