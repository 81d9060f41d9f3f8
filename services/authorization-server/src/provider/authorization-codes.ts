import type { Scope } from "@partner-connect/contract";
import type Provider from "oidc-provider";

interface ApprovedAuthorization {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly shopId: string;
  readonly grantId: string;
  readonly scope: readonly Scope[];
  readonly code: string;
  /** Seconds until the code expires. */
  readonly ttl: number;
}

export type AuthorizationCodes = ReturnType<typeof authorizationCodes>;

export type IssuedCode = NonNullable<Awaited<ReturnType<AuthorizationCodes["find"]>>>;

export function authorizationCodes(provider: Provider) {
  return {
    /** Issues a committed approval's code; idempotent. Returns false if the client was deleted. */
    async issue(approved: ApprovedAuthorization): Promise<boolean> {
      const { clientId, shopId, grantId, redirectUri, codeChallenge } = approved;
      const client = await provider.Client.find(clientId);
      if (!client) return false;
      // What oidc-provider calls the account is the connected shop.
      const grant = new provider.Grant({ clientId, accountId: shopId });
      grant.jti = grantId;
      grant.addOIDCScope([...approved.scope]);
      const code = new provider.AuthorizationCode({
        jti: approved.code,
        client,
        accountId: shopId,
        grantId,
        redirectUri,
        codeChallenge,
        codeChallengeMethod: "S256",
        scope: grant.getOIDCScope(),
        gty: "authorization_code",
        expiresIn: approved.ttl,
      });
      await Promise.all([grant.save(), code.save()]);
      return true;
    },

    /** Finds a code until Redis deletes it: an unused one on expiry, a redeemed one after a day. */
    async find(value: string) {
      const code = await provider.AuthorizationCode.find(value, { ignoreExpiration: true });
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
        /** Keeps the redeemed code for a day. Postgres ensures that it is redeemed once. */
        keepForReplays: () => code.consume(),
      };
    },
  };
}
