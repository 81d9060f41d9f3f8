import type { Redis } from "@partner-connect/service-runtime";
import type Provider from "oidc-provider";
import type { Adapter } from "oidc-provider";
import type { RefreshTokenStore } from "../token/grant-context.ts";
import { keyOf, keyOfHash, NOT_USED } from "./record.ts";

/** The hot half of refresh tokens: the library's `RefreshToken`, whose lifetime begins anew when it is found. */
export function refreshTokens(provider: Provider): RefreshTokenStore {
  const { RefreshToken } = provider;
  const forget = (value: string) => RefreshToken.adapter.destroy(value).then(() => {});
  return {
    async put(value, clientId, { shopId, grantId, scope }) {
      const client = await provider.Client.find(clientId);
      if (!client) return;
      const gty = "authorization_code";
      await new RefreshToken({ jti: value, client, accountId: shopId, grantId, scope: scope.join(" "), gty }).save();
    },
    async use(value, clientId) {
      // The adapter's record is all of it: the library's model would be made of it for each refresh.
      const token = await RefreshToken.adapter.find(value);
      if (!token) return false;
      if (token.clientId === clientId) return true;
      // Another client's token: its life must not be extended by this.
      await forget(value);
      return false;
    },
    forget,
  };
}

/** Forgets a refresh token whose value is not known here, by its SHA-256. Postgres then says whether it has expired. */
export async function forgetRefreshToken(redis: Redis, hash: Buffer): Promise<void> {
  await redis.del(keyOfHash("RefreshToken", hash));
}

/** Refresh tokens: client and grant as text, as neither is secret. A record that is found begins its lifetime anew in the same command. */
export function slidingRecords(redis: Redis, model: string, ttl: number): Adapter {
  return {
    ...NOT_USED,
    async upsert(id, { clientId, grantId }, expiresIn: number) {
      await redis.set(keyOf(model, id), JSON.stringify({ clientId, grantId }), "EX", expiresIn);
    },
    async find(id) {
      const text = await redis.getex(keyOf(model, id), "EX", ttl);
      return text === null ? undefined : { ...JSON.parse(text), jti: id };
    },
    async destroy(id) {
      await redis.del(keyOf(model, id));
    },
  };
}
