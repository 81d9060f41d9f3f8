import { SCOPES } from "@partner-connect/contract";
import Provider from "oidc-provider";
import { REDEEMED_SECONDS, redisAdapter, type StoredModels } from "./redis-adapter.ts";

export interface ProviderOptions extends StoredModels {
  readonly issuer: string;
  readonly authorizationCodeTtl: number;
}

/** Creates oidc-provider for its models only. It serves no endpoint and signs nothing; HS256 is its only algorithm that needs no key. */
export function createProvider(options: ProviderOptions): Provider {
  const { authorizationCodeTtl, refreshTokenTtl } = options;
  return new Provider(options.issuer, {
    adapter: redisAdapter(options),
    jwks: { keys: [] },
    enabledJWA: { idTokenSigningAlgValues: ["HS256"] },
    scopes: [...SCOPES],
    responseTypes: ["code"],
    // Enables the grant type 'refresh_token' without a scope 'offline_access'.
    issueRefreshToken: () => true,
    clientDefaults: {
      // Allows http and https on any host: which redirect URIs a client may use is our own rule.
      application_type: "web",
      id_token_signed_response_alg: "HS256",
    },
    features: { devInteractions: { enabled: false } },
    ttl: {
      AuthorizationCode: authorizationCodeTtl,
      // The grant lives as long as a replay of its code is detected.
      Grant: authorizationCodeTtl + REDEEMED_SECONDS,
      RefreshToken: refreshTokenTtl,
    },
  });
}
