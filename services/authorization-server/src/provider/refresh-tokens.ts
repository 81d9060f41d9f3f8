import type { LiveGrant } from "@partner-connect/connections";
import type { Redis } from "@partner-connect/service-runtime";
import type Provider from "oidc-provider";
import { keyOfHash } from "./redis-adapter.ts";

export type RefreshTokens = ReturnType<typeof refreshTokens>;

/** What Redis knows of refresh tokens. Postgres can answer without it, so losing Redis loses no connection: the library's `RefreshToken`, whose lifetime begins anew when it is found. */
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
    /** Whether Redis knows the token as this client's. If so, its whole lifetime has begun anew. */
    async use(value: string, clientId: string): Promise<boolean> {
      // The adapter's record is all of it: the library's model would be made of it for each refresh.
      const token = await RefreshToken.adapter.find(value);
      if (!token) return false;
      if (token.clientId === clientId) return true;
      // Another client's token: its life must not be extended by this.
      await forget(value);
      return false;
    },
    /** Takes the new lifetime away from a token whose refresh was refused: Postgres then says when it expires. */
    forget,
    /** The same for a token whose value is not known here, by its SHA-256. */
    forgetHash: async (hash: Buffer): Promise<void> => void (await redis.del(keyOfHash("RefreshToken", hash))),
  };
}
