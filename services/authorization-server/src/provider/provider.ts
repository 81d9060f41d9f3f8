import { SCOPES } from "@partner-connect/contract";
import Provider from "oidc-provider";
import { REDEEMED_SECONDS, redisAdapter, type StoredModels } from "./redis-adapter.ts";

export interface ProviderOptions extends StoredModels {
  readonly issuer: string;
  readonly authorizationCodeTtl: number;
}

/** The library, for its models. It serves no endpoint and signs nothing; HS256 is the one algorithm that it takes without keys. */
export function createProvider(options: ProviderOptions): Provider {
  const { authorizationCodeTtl, refreshTokenTtl } = options;
  return new Provider(options.issuer, {
    adapter: redisAdapter(options),
    jwks: { keys: [] },
    enabledJWA: { idTokenSigningAlgValues: ["HS256"] },
    scopes: [...SCOPES],
    responseTypes: ["code"],
    // Without it the library knows no grant type 'refresh_token', as there is no scope 'offline_access'.
    issueRefreshToken: () => true,
    clientDefaults: {
      // https, and http on a loopback address with any port: our own rule for redirect URIs.
      application_type: "native",
      id_token_signed_response_alg: "HS256",
    },
    features: { devInteractions: { enabled: false } },
    ttl: {
      AuthorizationCode: authorizationCodeTtl,
      // As long as the replay of a code is recognised.
      Grant: authorizationCodeTtl + REDEEMED_SECONDS,
      RefreshToken: refreshTokenTtl,
    },
  });
}
