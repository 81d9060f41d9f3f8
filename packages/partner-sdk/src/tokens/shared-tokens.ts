import { digest } from "../authorization/pkce.ts";
import type { ConnectionStore } from "../stores/connection-store.ts";
import type { HeldToken } from "./held-token.ts";

/** Access tokens in the partner's store, for its other processes. While the store fails, each process gets its own. */
export class SharedTokens {
  readonly #store: ConnectionStore;

  constructor(store: ConnectionStore) {
    this.#store = store;
  }

  async get(connectionId: string, refreshToken: string): Promise<HeldToken | null> {
    try {
      const stored = (await this.#store.getAccessToken?.(connectionId)) ?? null;
      // Another refresh token was of another approval, with another scope.
      if (stored === null || stored.refreshTokenDigest !== (await digest(refreshToken))) return null;
      const { accessToken, renewAt, expiresAt } = stored;
      return { authorization: `Bearer ${accessToken}`, renewAt: Date.parse(renewAt), expiresAt: Date.parse(expiresAt) };
    } catch {
      return null;
    }
  }

  async put(
    connectionId: string,
    refreshToken: string,
    { authorization, renewAt, expiresAt }: HeldToken,
  ): Promise<void> {
    try {
      await this.#store.putAccessToken?.({
        connectionId,
        accessToken: authorization.slice("Bearer ".length),
        refreshTokenDigest: await digest(refreshToken),
        renewAt: new Date(renewAt).toISOString(),
        expiresAt: new Date(expiresAt).toISOString(),
      });
    } catch {
      // The next process gets a token of its own.
    }
  }
}
