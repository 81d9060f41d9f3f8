import type { Clock } from "../clock.ts";
import type { Credential } from "../credential.ts";
import { PartnerConnectError, StoreFailed, UnknownConnection } from "../errors/index.ts";
import type { ConnectionStore, StoredConnection } from "../stores/connection-store.ts";
import type { TokenClient } from "./token-client.ts";
import type { IssuedTokens } from "./token-endpoint.ts";

export interface TokenSourceOptions {
  readonly connectionId: string;
  readonly store: ConnectionStore;
  readonly tokens: TokenClient;
  readonly clock: Clock;
}

interface HeldToken {
  readonly authorization: string;
  readonly expiresAt: number;
}

const EARLY_MS = 60_000;

/** The access token of one connection: made when it is asked for, kept until a minute before its end, one refresh at a time. */
export class TokenSource implements Credential {
  readonly #options: TokenSourceOptions;
  #held: HeldToken | null = null;
  #renewal: Promise<HeldToken> | null = null;

  constructor(options: TokenSourceOptions) {
    this.#options = options;
  }

  async authorization(_signal?: AbortSignal): Promise<string> {
    const held = this.#held;
    const left = held === null ? 0 : held.expiresAt - this.#options.clock.now();
    if (held !== null && left > EARLY_MS) return held.authorization;
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = null;
    });
    try {
      return (await this.#renewal).authorization;
    } catch (error) {
      const passing = error instanceof PartnerConnectError && error.code !== "reconnect_required";
      if (held !== null && passing && held === this.#held && held.expiresAt > this.#options.clock.now()) {
        return held.authorization;
      }
      throw error;
    }
  }

  refused(authorization: string): void {
    if (this.#held?.authorization === authorization) this.#held = null;
  }

  /** The connection has just been made, or made again: these are its tokens now. */
  adopt(tokens: IssuedTokens, askedAt: number): void {
    this.#held = heldToken(tokens, askedAt);
  }

  async #renew(): Promise<HeldToken> {
    const { tokens, clock } = this.#options;
    const { id, refreshToken } = await this.#stored();
    const askedAt = clock.now();
    this.#held = heldToken(await tokens.refresh(id, refreshToken), askedAt);
    return this.#held;
  }

  async #stored(): Promise<StoredConnection> {
    const { store, connectionId } = this.#options;
    const stored = await store.get(connectionId).catch((cause) => {
      throw new StoreFailed("the store could not read the connection", { cause });
    });
    if (stored === null) throw new UnknownConnection(connectionId);
    return stored;
  }
}

function heldToken({ accessToken, expiresInSeconds }: IssuedTokens, askedAt: number): HeldToken {
  return { authorization: `Bearer ${accessToken}`, expiresAt: askedAt + expiresInSeconds * 1000 };
}
