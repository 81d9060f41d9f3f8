import { SCOPES } from "@partner-connect/contract";
import {
  answer,
  BASE_URL,
  constant,
  example,
  exampleOf,
  jsonAnswer,
  text,
} from "@partner-connect/contract/openapi";
import { GRANT_TYPES } from "@partner-connect/directory";
import { JWKS_MAX_AGE_SECONDS } from "@partner-connect/signing-keys";
import type { FastifyPluginAsync } from "fastify";
import Type from "typebox";
import { LANGUAGES } from "./browser/locale.ts";
import {
  AUTHORIZE_PATH,
  DEFAULT_DISCOVERY_PATH,
  JWKS_PATH,
  METADATA_PATH,
  REVOCATION_PATH,
  TOKEN_PATH,
} from "./protocol.ts";

const urlField = (description: string, path: string) =>
  text(description, `${BASE_URL}${path}`, { format: "uri" });
const texts = (description: string, ...examples: readonly string[]) =>
  Type.Array(Type.String(), { description, examples: [examples] });

const AuthorizationServerMetadata = Type.Object(
  {
    issuer: urlField("The `iss` of access tokens and of callbacks.", ""),
    authorization_endpoint: urlField("Where you send the merchant's browser.", AUTHORIZE_PATH),
    token_endpoint: urlField("Where you exchange codes and refresh tokens.", TOKEN_PATH),
    revocation_endpoint: urlField("Where you end a connection.", REVOCATION_PATH),
    jwks_uri: urlField("The public keys that verify access tokens.", JWKS_PATH),
    scopes_supported: texts("All scopes.", ...SCOPES),
    ui_locales_supported: texts("The languages of our pages.", "en", "de", "fr", "es"),
    response_types_supported: texts("Only the code flow.", "code"),
    response_modes_supported: texts("In the query of the redirect URI.", "query"),
    grant_types_supported: texts(
      "Both grants of the token endpoint.",
      "authorization_code",
      "refresh_token",
    ),
    token_endpoint_auth_methods_supported: texts("Only HTTP Basic.", "client_secret_basic"),
    revocation_endpoint_auth_methods_supported: texts("Only HTTP Basic.", "client_secret_basic"),
    code_challenge_methods_supported: texts("PKCE is required.", "S256"),
    authorization_response_iss_parameter_supported: Type.Boolean({
      description: "Every callback has `iss` (RFC 9207).",
      examples: [true],
    }),
  },
  {
    $id: "AuthorizationServerMetadata",
    description: "Metadata from which client libraries configure themselves (RFC 8414).",
  },
);

const JsonWebKey = Type.Object({
  kty: text("`OKP` or `EC`.", "OKP"),
  crv: text("`Ed25519` or `P-256`.", "Ed25519"),
  x: text("The public key, base64url.", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"),
  y: Type.Optional(
    text("The y coordinate of an `EC` key.", "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"),
  ),
  kid: text(
    "The key id in a token's header: the key's thumbprint (RFC 7638).",
    "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  ),
  alg: text("`EdDSA` or `ES256`.", "EdDSA"),
  use: constant("sig", "For signatures."),
});

const JsonWebKeySet = Type.Object(
  {
    keys: Type.Array(JsonWebKey, {
      description: "Current keys, announced keys, and former keys of tokens that are still valid.",
    }),
  },
  { $id: "JsonWebKeySet", description: "Public keys (RFC 7517)." },
);

const headers = ["x-request-id", "cache-control"] as const;

const METADATA_ANSWER = jsonAnswer(AuthorizationServerMetadata, "The metadata.", headers, {
  metadata: example("Of this system", exampleOf(AuthorizationServerMetadata)),
});

/** Two operations that return the same document. */
const METADATA_OPERATIONS = [
  {
    path: METADATA_PATH,
    operationId: "getAuthorizationServerMetadata",
    summary: "Metadata of the authorization server (RFC 8414).",
    description:
      "Endpoints, scopes, and what each endpoint supports, for the configuration of client libraries.",
  },
  {
    path: DEFAULT_DISCOVERY_PATH,
    operationId: "getOpenIdConfiguration",
    summary: "The same metadata, where OpenID libraries look.",
    description:
      "For libraries that know only this path (OpenID Connect Discovery §4). There are no ID tokens.",
  },
];

const { y: _, ...ED25519 } = exampleOf(JsonWebKey);

const jwksSchema = {
  operationId: "getJsonWebKeySet",
  tags: ["Discovery"],
  summary: "The public keys that verify access tokens (RFC 7517).",
  description:
    "You need them only if you verify access tokens yourself, which is not required. Cache them for at most five minutes.",
  response: {
    200: answer("The keys.", headers, {
      "application/jwk-set+json": {
        schema: JsonWebKeySet,
        examples: { one_key: example("One current key, none announced", { keys: [ED25519] }) },
      },
    }),
  },
};

export interface MetadataRouteOptions {
  readonly issuer: string;
  /** The announced, active and retiring keys. */
  readonly publishedKeys: () => readonly object[];
}

/**
 * Authorization server metadata (RFC 8414) and the JWKS. The metadata has the configured public
 * URL, regardless of the Host header.
 */
export const metadataRoute: FastifyPluginAsync<MetadataRouteOptions> = async (
  app,
  { issuer, publishedKeys },
) => {
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
  for (const { path, ...described } of METADATA_OPERATIONS) {
    const schema = { ...described, tags: ["Discovery"], response: { 200: METADATA_ANSWER } };
    app.get(path, { config, schema }, (_request, reply) =>
      reply.header("cache-control", cacheControl).send(metadata),
    );
  }
  app.get(JWKS_PATH, { config, schema: jwksSchema }, (_request, reply) =>
    reply
      .header("cache-control", cacheControl)
      .type("application/jwk-set+json")
      .send({ keys: publishedKeys() }),
  );
};
