import { SCOPES } from "@partner-connect/access-token";
import type { Redis } from "@partner-connect/service-runtime";
import type { SigningKeys } from "@partner-connect/signing-keys";
import Provider, { type Configuration } from "oidc-provider";
import type { Clients } from "../clients/client-cache.ts";
import { redisAdapter } from "./redis-adapter.ts";

export interface ProviderOptions {
  readonly issuer: string;
  readonly redis: Redis;
  readonly clients: Clients;
  readonly signingKeys: SigningKeys;
  readonly authorizationCodeTtl: number;
}

/** A merchant has this long to sign in and decide. */
const INTERACTION_SECONDS = 60 * 60;

/** Between the approval and the code there is one redirect. */
const GRANT_SECONDS = 10 * 60;

export const AUTHORIZE_PATH = "/oauth/api/authorize";

/**
 * The library's part: it carries a valid authorization request through the merchant's interaction to a code. What
 * comes before (the request's rules) and after (the token endpoint) is ours.
 */
export function createProvider(options: ProviderOptions): Provider {
  const secure = options.issuer.startsWith("https:");
  const prefix = secure ? "__Secure-" : "";
  const { alg } = options.signingKeys.active;
  const provider = new Provider(options.issuer, {
    adapter: redisAdapter(options.redis),
    jwks: { keys: [options.signingKeys.active.privateJwk] },
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
    enabledJWA: { idTokenSigningAlgValues: [alg] },
    clientDefaults: {
      id_token_signed_response_alg: alg,
      response_types: ["code"],
      grant_types: ["authorization_code"],
    },
    clientBasedCORS: () => false,
    cookies: {
      names: { session: `${prefix}authorization`, interaction: `${prefix}interaction`, resume: `${prefix}resume` },
      short: { httpOnly: true, sameSite: "lax", signed: false, secure },
      long: { httpOnly: true, sameSite: "lax", signed: false, secure },
    },
    ttl: {
      AccessToken: 1,
      AuthorizationCode: options.authorizationCodeTtl,
      ClientCredentials: 1,
      Grant: GRANT_SECONDS,
      IdToken: 1,
      Interaction: INTERACTION_SECONDS,
      RefreshToken: 1,
      Session: GRANT_SECONDS,
    },
    interactions: { url: (_context, { uid }) => `/oauth/interaction/${uid}` },
    expiresWithSession: () => false,
    // The connected shop is the account.
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    // Consent is asked every time: the only grant that counts is the one this very interaction made.
    loadExistingGrant: async (context) => {
      const grantId = context.oidc.result?.consent?.grantId;
      return grantId ? await context.oidc.provider.Grant.find(grantId) : undefined;
    },
    renderError: (context, out) => {
      context.body = out;
    },
  } satisfies Configuration);
  // Our own proxy headers tell the public host and scheme: see mount.ts.
  provider.proxy = true;
  useRegisteredClients(provider, options.clients);
  return provider;
}

/**
 * Clients are ours (directory). The library sees each as it is now, and leaves the redirect URI to our rules, which
 * the request has passed before it comes here.
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
