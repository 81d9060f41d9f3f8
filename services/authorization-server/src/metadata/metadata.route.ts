import { SCOPES } from "@partner-connect/access-token";
import { GRANT_TYPES } from "@partner-connect/directory";
import { JWKS_MAX_AGE_SECONDS } from "@partner-connect/signing-keys";
import type { FastifyPluginAsync } from "fastify";

export interface MetadataRouteOptions {
  readonly issuer: string;
  /** Public keys: announced, active and retiring. */
  readonly publishedKeys: readonly object[];
}

/** Authorization server metadata (RFC 8414) on the configured public URL, whatever the Host header; and the JWKS. */
export const metadataRoute: FastifyPluginAsync<MetadataRouteOptions> = async (app, { issuer, publishedKeys }) => {
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/oauth/api/authorize`,
    token_endpoint: `${issuer}/oauth/api/token`,
    jwks_uri: `${issuer}/oauth/api/jwks`,
    scopes_supported: SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: GRANT_TYPES,
    token_endpoint_auth_methods_supported: ["client_secret_basic"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  };
  const cacheControl = `public, max-age=${JWKS_MAX_AGE_SECONDS}`;
  app.get("/.well-known/oauth-authorization-server", (_request, reply) =>
    reply.header("cache-control", cacheControl).send(metadata),
  );
  app.get("/oauth/api/jwks", (_request, reply) =>
    reply.header("cache-control", cacheControl).type("application/jwk-set+json").send({ keys: publishedKeys }),
  );
};
