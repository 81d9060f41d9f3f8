import type { TokenSubject } from "@partner-connect/connections";
import { newCredential } from "@partner-connect/directory";
import type Provider from "oidc-provider";

export type RefreshTokens = ReturnType<typeof refreshTokens>;

/**
 * A new token: 256 random bits and the shop's id, so that Postgres can find the connection in one
 * shard even if Redis has lost the token.
 */
export function newRefreshToken(shopId: string): string {
  return `${newCredential("pcr")}_${shopId}`;
}

/** Returns the token's shop; null if the token is not one of ours. */
export function shopOfRefreshToken(token: string): string | null {
  return /^pcr_[A-Za-z0-9_-]{43}_([A-Za-z0-9._~-]{1,64})$/.exec(token)?.[1] ?? null;
}

/**
 * Refresh tokens in Redis. Each use restarts a token's lifetime. Redis tells superseded tokens from
 * unknown ones; Postgres decides everything else.
 */
export function refreshTokens({ Client, RefreshToken }: Provider) {
  return {
    async put(value: string, { shopId, clientId, grantId, scope }: TokenSubject): Promise<void> {
      const client = await Client.find(clientId);
      if (!client) return;
      await new RefreshToken({
        jti: value,
        client,
        accountId: shopId,
        grantId,
        scope: scope.join(" "),
        gty: "authorization_code",
      }).save();
    },
    /** True if Redis has this token of this client; restarts its TTL. Throws if Redis is down. */
    async findAndRenew(value: string, clientId: string): Promise<boolean> {
      // Read the adapter's record directly, because creating the model for each refresh costs more.
      return (await RefreshToken.adapter.find(value))?.clientId === clientId;
    },
  };
}
