import type { LiveGrant } from "@partner-connect/connections";
import type { Redis } from "@partner-connect/service-runtime";
import type Provider from "oidc-provider";
import { keyOfHash } from "./provider.ts";

export type RefreshTokens = ReturnType<typeof refreshTokens>;

/** TTLs of refresh tokens in Redis, restarted on each use. Postgres answers without it, so losing Redis loses no connection. */
export function refreshTokens(provider: Provider, redis: Redis) {
  const { RefreshToken } = provider;
  const forget = (value: string) => RefreshToken.adapter.destroy(value).then(() => {});
  return {
    async put(
      value: string,
      clientId: string,
      { shopId, grantId, scope }: Pick<LiveGrant, "shopId" | "grantId" | "scope">,
    ): Promise<void> {
      const client = await provider.Client.find(clientId);
      if (!client) return;
      const gty = "authorization_code";
      await new RefreshToken({ jti: value, client, accountId: shopId, grantId, scope: scope.join(" "), gty }).save();
    },
    /** True if Redis has the token for this client, whose TTL is then restarted. */
    async use(value: string, clientId: string): Promise<boolean> {
      // Read the adapter's record, because creating the model for each refresh costs more.
      const token = await RefreshToken.adapter.find(value);
      if (!token) return false;
      if (token.clientId === clientId) return true;
      // Another client's token: undo the restart of its TTL.
      await forget(value);
      return false;
    },
    /** Deletes a token whose refresh was refused, because its TTL was restarted. Postgres then decides when it expires. */
    forget,
    /** The same, by the token's SHA-256. */
    forgetHash: async (hash: Buffer): Promise<void> => void (await redis.del(keyOfHash("RefreshToken", hash))),
  };
}
