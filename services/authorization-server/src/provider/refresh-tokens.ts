import type { LiveGrant } from "@partner-connect/connections";
import type Provider from "oidc-provider";

export type RefreshTokens = ReturnType<typeof refreshTokens>;

/**
 * Refresh tokens in Redis. Each use restarts their lifetime. They distinguish a superseded token
 * from an unknown one; Postgres decides everything else.
 */
export function refreshTokens({ Client, RefreshToken }: Provider) {
  return {
    async put(
      value: string,
      clientId: string,
      { shopId, grantId, scope }: Pick<LiveGrant, "shopId" | "grantId" | "scope">,
    ): Promise<void> {
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
    /** True if Redis has this token of this client; restarts its TTL. */
    async findAndRenew(value: string, clientId: string): Promise<boolean> {
      // Read the adapter's record, because creating the model for each refresh costs more.
      return (await RefreshToken.adapter.find(value))?.clientId === clientId;
    },
  };
}
