import type Provider from "oidc-provider";
import type { RefreshTokenStore } from "../token/grant-context.ts";

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
      const token = await RefreshToken.find(value);
      if (!token) return false;
      if (token.clientId === clientId) return true;
      // Another client's token: its life must not be extended by this.
      await forget(value);
      return false;
    },
    forget,
  };
}
