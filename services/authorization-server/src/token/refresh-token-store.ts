import { hashCredential } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";

/**
 * Redis's half of a refresh token: by its hash, the grant it belongs to and, as the key's own expiry, the exact end
 * of its life. Postgres has the other half, so what is lost here costs nobody a connection.
 */
export interface RefreshTokenStore {
  put(clientId: string, refreshToken: string, grantId: string): Promise<void>;
  /** The grant id, with the token's life begun anew; null if Redis doesn't know the token as this client's. */
  use(clientId: string, refreshToken: string): Promise<string | null>;
}

export function refreshTokenStore(redis: Redis, ttlSeconds: number): RefreshTokenStore {
  const key = (clientId: string, refreshToken: string) =>
    `oauth:refresh-token:${clientId}:${hashCredential(refreshToken).toString("base64url")}`;
  return {
    async put(clientId, refreshToken, grantId) {
      await redis.set(key(clientId, refreshToken), grantId, "EX", ttlSeconds);
    },
    async use(clientId, refreshToken) {
      return await redis.getex(key(clientId, refreshToken), "EX", ttlSeconds);
    },
  };
}
