import { SCOPES } from "@partner-connect/contract";
import { GRANT_TYPES } from "@partner-connect/directory";
import {
  AUTHORIZE_PATH,
  DEFAULT_DISCOVERY_PATH,
  JWKS_PATH,
  METADATA_PATH,
  REVOCATION_PATH,
  TOKEN_PATH,
} from "@partner-connect/public-api";
import { JWKS_MAX_AGE_SECONDS } from "@partner-connect/signing-keys";
import type { FastifyPluginAsync } from "fastify";
import { LANGUAGES } from "../pages/locale.ts";

export interface MetadataRouteOptions {
  readonly issuer: string;
  /** The public keys now: announced, active and retiring. */
  readonly publishedKeys: () => readonly object[];
}

/** Authorization server metadata (RFC 8414) on the configured public URL, whatever the Host header; and the JWKS. */
export const metadataRoute: FastifyPluginAsync<MetadataRouteOptions> = async (app, { issuer, publishedKeys }) => {
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}${AUTHORIZE_PATH}`,
    token_endpoint: `${issuer}${TOKEN_PATH}`,
    revocation_endpoint: `${issuer}${REVOCATION_PATH}`,
    jwks_uri: `${issuer}${JWKS_PATH}`,
    scopes_supported: SCOPES,
    ui_locales_supported: LANGUAGES.map(({ language }) => language),
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: GRANT_TYPES,
    token_endpoint_auth_methods_supported: ["client_secret_basic"],
    revocation_endpoint_auth_methods_supported: ["client_secret_basic"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  };
  const config = { answersJson: true };
  const cacheControl = `public, max-age=${JWKS_MAX_AGE_SECONDS}`;
  for (const path of [METADATA_PATH, DEFAULT_DISCOVERY_PATH]) {
    app.get(path, { config }, (_request, reply) => reply.header("cache-control", cacheControl).send(metadata));
  }
  app.get(JWKS_PATH, { config }, (_request, reply) =>
    reply.header("cache-control", cacheControl).type("application/jwk-set+json").send({ keys: publishedKeys() }),
  );
};
