import { generateKeyPairSync } from "node:crypto";
import { SCOPES } from "@partner-connect/access-token";
import type { Redis } from "@partner-connect/service-runtime";
import Provider, { type Configuration, type KoaContextWithOIDC } from "oidc-provider";
import type { Clients } from "../clients/client-cache.ts";
import { AUTHORIZE_PATH } from "../paths.ts";
import { approvalOf, currentApproval } from "./approval.ts";
import { redisAdapter } from "./redis-adapter.ts";

export interface ProviderOptions {
  readonly issuer: string;
  readonly redis: Redis;
  readonly clients: Clients;
  /** Seconds. */
  readonly authorizationCodeTtl: number;
}

/**
 * The library makes the code of an approved authorization. What comes before (the request's rules, the merchant's sign-in
 * and decision) and after (the token endpoint) is our own code. {@link codeIssuer} runs the library.
 */
export function createProvider(options: ProviderOptions): Provider {
  const provider = new Provider(options.issuer, {
    adapter: redisAdapter(options.redis),
    jwks: { keys: [unusedKey()] },
    routes: { authorization: AUTHORIZE_PATH },
    scopes: [...SCOPES],
    claims: {},
    responseTypes: ["code"],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    enabledJWA: { idTokenSigningAlgValues: ["EdDSA"] },
    clientDefaults: {
      id_token_signed_response_alg: "EdDSA",
      response_types: ["code"],
      grant_types: ["authorization_code"],
    },
    clientBasedCORS: () => false,
    cookies: { short: { signed: false }, long: { signed: false } },
    ttl: {
      AccessToken: 1,
      AuthorizationCode: options.authorizationCodeTtl,
      ClientCredentials: 1,
      Grant: 1,
      IdToken: 1,
      Interaction: 1,
      RefreshToken: 1,
      Session: 1,
    },
    expiresWithSession: () => false,
    // The connected shop is the account.
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    // Consent is asked every time, so the only grant is the one approved just now. It is not stored.
    loadExistingGrant: (context) => {
      const { clientId, shopId, grantId, scope } = approvalOf(context);
      const grant = new provider.Grant({ accountId: shopId, clientId });
      grant.jti = grantId;
      grant.addOIDCScope(scope.join(" "));
      return Promise.resolve(grant);
    },
    renderError: (context, out) => {
      context.body = out;
    },
  } satisfies Configuration);
  useRegisteredClients(provider, options.clients);
  useApproval(provider);
  return provider;
}

/** The library wants a key for ID tokens, of which it makes none here. So the keys of access tokens are no concern of its. */
function unusedKey() {
  const { privateKey } = generateKeyPairSync("ed25519");
  return { ...privateKey.export({ format: "jwk" }), kid: "unused", alg: "EdDSA", use: "sig" };
}

/**
 * Clients come from our directory, as they are now. The library doesn't check the redirect URI: the request has passed our
 * own rules before.
 */
function useRegisteredClients(provider: Provider, clients: Clients): void {
  const { Client } = provider;
  Client.find = async (id: string) => {
    const client = await clients.find(id);
    if (client?.status !== "active") return undefined;
    return Reflect.construct(Client, [
      {
        client_id: client.clientId,
        client_secret: "unused: the token endpoint authenticates clients itself",
        redirect_uris: [...client.redirectUris],
        scope: client.scope.join(" "),
      },
    ]);
  };
  Client.prototype.redirectUriAllowed = () => true;
}

/**
 * The merchant has signed in and decided before the library is asked. So its session is the approval, is not stored and
 * has no cookie; and the code has the value that was derived for this approval.
 */
function useApproval(provider: Provider): void {
  const { Session, AuthorizationCode } = provider;
  Session.get = (context) => {
    const session = new Session();
    session.loginAccount({ accountId: approvalOf(context).shopId, transient: true });
    Object.assign(session, { destroyed: true });
    if ("oidc" in context) (context as KoaContextWithOIDC).oidc.entity("Session", session);
    return Promise.resolve(session);
  };
  Object.assign(AuthorizationCode.prototype, { generateTokenId: () => currentApproval().code });
}
