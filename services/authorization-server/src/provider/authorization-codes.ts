import type Provider from "oidc-provider";
import type { CodeIssuer } from "../consent/consent-context.ts";
import type { AuthorizationCodes } from "../token/grant-context.ts";

export function authorizationCodes(provider: Provider): CodeIssuer & AuthorizationCodes {
  const findCode = (value: string) => provider.AuthorizationCode.find(value, { ignoreExpiration: true });
  return {
    async issue({ clientId, redirectUri, codeChallenge, shopId, grantId, scope, code: value, ttl }) {
      const client = await provider.Client.find(clientId);
      if (!client?.responseTypeAllowed("code") || !client.redirectUriAllowed(redirectUri)) throw refused(clientId);
      // The connected shop is the library's account.
      const grant = new provider.Grant({ clientId, accountId: shopId });
      grant.jti = grantId;
      grant.addOIDCScope([...scope]);
      const code = new provider.AuthorizationCode({
        jti: value,
        client,
        accountId: shopId,
        grantId,
        redirectUri,
        codeChallenge,
        codeChallengeMethod: "S256",
        scope: grant.getOIDCScope(),
        gty: "authorization_code",
        expiresIn: ttl,
      });
      await Promise.all([grant.save(), code.save()]);
    },

    async find(value) {
      const code = await findCode(value);
      const grant = code?.grantId ? await provider.Grant.find(code.grantId) : undefined;
      if (!code?.grantId || !grant) return null;
      const { clientId, accountId: shopId } = grant;
      const { grantId, redirectUri, codeChallenge } = code;
      if (!clientId || !shopId || !redirectUri || !codeChallenge) return null;
      return {
        clientId,
        shopId,
        grantId,
        redirectUri,
        codeChallenge,
        redeemed: isConsumed(code),
        expired: code.isExpired,
        markRedeemed: () => code.consume(),
      };
    },
  };
}

function isConsumed(code: object): boolean {
  return "consumed" in code && Boolean(code.consumed);
}

/** 400: the client was disabled or changed after the merchant's decision. */
function refused(clientId: string): Error {
  return Object.assign(new Error(`client ${clientId} may not have this code any more`), { statusCode: 400 });
}
