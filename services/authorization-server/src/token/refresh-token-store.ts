import type { Redis } from "@partner-connect/service-runtime";

/**
 * What Redis knows of refresh tokens. A key is named by the token's SHA-256, holds the token's grant, and expires when
 * the token does. Postgres knows enough to answer without it, so losing Redis loses no connection.
 */
export interface RefreshTokenStore {
  put(clientId: string, hash: Buffer, grantId: string): Promise<void>;
  /** Whether Redis knows the token as this client's. If so, its whole lifetime has begun anew. */
  use(clientId: string, hash: Buffer): Promise<boolean>;
  /** Takes the new lifetime away from a token whose refresh was refused: Postgres alone then says when it expires. */
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
