import type Provider from "oidc-provider";
import type { AuthorizationCodes } from "../token/authorization-codes.ts";

/** The token endpoint's view of the library's authorization codes. */
export function issuedCodes(provider: Provider): AuthorizationCodes {
  return {
    async find(value) {
      const code = await provider.AuthorizationCode.find(value, { ignoreExpiration: true });
      if (!code) return null;
      const { clientId, accountId: shopId, grantId, redirectUri, codeChallenge } = code;
      if (!clientId || !shopId || !grantId || !redirectUri || !codeChallenge) return null;
      return {
        clientId,
        shopId,
        grantId,
        redirectUri,
        codeChallenge,
        redeemed: "consumed" in code && Boolean(code.consumed),
        expired: code.isExpired,
        markRedeemed: () => code.consume(),
      };
    },
  };
}
