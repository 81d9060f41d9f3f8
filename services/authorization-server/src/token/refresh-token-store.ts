import type { Redis } from "@partner-connect/service-runtime";

/**
 * Redis's half of a refresh token: by its SHA-256, the grant it belongs to and, as the key's own expiry, the exact end
 * of its life. Postgres has the other half, so what is lost here costs nobody a connection.
 */
export interface RefreshTokenStore {
  put(clientId: string, hash: Buffer, grantId: string): Promise<void>;
  /** Whether Redis knows the token as this client's. Its life has then begun anew. */
  use(clientId: string, hash: Buffer): Promise<boolean>;
  /** Takes back the new life of a token whose refresh was refused: Postgres alone then says until when it lives. */
  forget(clientId: string, hash: Buffer): Promise<void>;
}

export function refreshTokenStore(redis: Redis, ttlSeconds: number): RefreshTokenStore {
  const key = (clientId: string, hash: Buffer) => `oauth:refresh-token:${clientId}:${hash.toString("base64url")}`;
  return {
    async put(clientId, hash, grantId) {
      await redis.set(key(clientId, hash), grantId, "EX", ttlSeconds);
    },
    async use(clientId, hash) {
      return (await redis.getex(key(clientId, hash), "EX", ttlSeconds)) !== null;
    },
    async forget(clientId, hash) {
      await redis.del(key(clientId, hash));
    },
  };
}
