import Type, { type TObject } from "typebox";
import { constant, text } from "../document/described.ts";
import type { Operation } from "../document/operation.ts";
import { BASE_URL } from "../served-document.ts";
import {
  AUTHORIZE_PATH,
  DEFAULT_DISCOVERY_PATH,
  JWKS_PATH,
  METADATA_PATH,
  REVOCATION_PATH,
  TOKEN_PATH,
} from "./protocol.ts";

const url = (description: string, path: string) => text(description, `${BASE_URL}${path}`, { format: "uri" });
const list = (description: string, ...examples: readonly string[]) =>
  Type.Array(Type.String(), { description, examples: [examples] });

const AuthorizationServerMetadata = Type.Object(
  {
    issuer: url("The `iss` of access tokens and of what the browser brings back.", ""),
    authorization_endpoint: url("Where you send the merchant's browser.", AUTHORIZE_PATH),
    token_endpoint: url("Where you exchange and refresh.", TOKEN_PATH),
    revocation_endpoint: url("Where you end a connection.", REVOCATION_PATH),
    jwks_uri: url("The public keys of access tokens.", JWKS_PATH),
    scopes_supported: list("Every scope.", "responses:read", "sources:write"),
    ui_locales_supported: list("The languages of our pages.", "en", "de", "fr", "es"),
    response_types_supported: list("The code flow alone.", "code"),
    response_modes_supported: list("In the query of the redirect URI.", "query"),
    grant_types_supported: list("Both grants of the token endpoint.", "authorization_code", "refresh_token"),
    token_endpoint_auth_methods_supported: list("HTTP Basic alone.", "client_secret_basic"),
    revocation_endpoint_auth_methods_supported: list("HTTP Basic alone.", "client_secret_basic"),
    code_challenge_methods_supported: list("PKCE is required.", "S256"),
    authorization_response_iss_parameter_supported: Type.Boolean({
      description: "RFC 9207: `iss` comes back with every code and error.",
      examples: [true],
    }),
  },
  { $id: "AuthorizationServerMetadata", description: "What client libraries configure themselves by (RFC 8414)." },
);

const JsonWebKey = Type.Object({
  kty: text("`OKP` or `EC`.", "OKP"),
  crv: text("`Ed25519` or `P-256`.", "Ed25519"),
  x: text("The public key, base64url.", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"),
  y: Type.Optional(text("Its second half, of an `EC` key.", "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")),
  kid: text(
    "Names the key in a token's header: its thumbprint (RFC 7638).",
    "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  ),
  alg: text("`EdDSA` or `ES256`.", "EdDSA"),
  use: constant("sig", "For signatures."),
});

const JsonWebKeySet = Type.Object(
  { keys: Type.Array(JsonWebKey, { description: "Keys in use, keys to come, and keys of tokens that still live." }) },
  { $id: "JsonWebKeySet", description: "Public keys (RFC 7517)." },
);

export const DISCOVERY_SCHEMAS = [AuthorizationServerMetadata, JsonWebKeySet];

const open = (path: string, schema: Operation["schema"]): Operation => ({
  method: "get",
  path,
  tag: "Discovery",
  caller: "anybody",
  schema,
});
const headers = ["x-request-id", "cache-control"];

function exampleOf({ properties }: TObject): Record<string, unknown> {
  const fields = Object.entries(properties as Record<string, { readonly examples?: readonly unknown[] }>);
  return Object.fromEntries(fields.map(([name, { examples }]) => [name, examples?.[0]]));
}

const metadata = (path: string, operationId: string, summary: string) =>
  open(path, {
    operationId,
    summary,
    response: {
      200: {
        description: "The metadata.",
        headers,
        content: {
          "application/json": {
            schema: Type.Ref("AuthorizationServerMetadata#"),
            examples: { metadata: { summary: "Of this system", value: exampleOf(AuthorizationServerMetadata) } },
          },
        },
      },
    },
  });

const { y: _, ...ED25519 } = exampleOf(JsonWebKey);

export const DISCOVERY_OPERATIONS: readonly Operation[] = [
  metadata(METADATA_PATH, "getAuthorizationServerMetadata", "Metadata of the authorization server (RFC 8414)."),
  metadata(
    DEFAULT_DISCOVERY_PATH,
    "getOpenIdConfiguration",
    "The same metadata, where OpenID libraries look. There are no ID tokens.",
  ),
  open(JWKS_PATH, {
    operationId: "getJsonWebKeySet",
    summary: "The public keys that access tokens are signed by (RFC 7517).",
    description:
      "You need them only if you verify access tokens yourself, which nobody asks of you. Keep them for five minutes at most.",
    response: {
      200: {
        description: "The keys.",
        headers,
        content: {
          "application/jwk-set+json": {
            schema: Type.Ref("JsonWebKeySet#"),
            examples: { one_key: { summary: "One key is in use, and none is to come", value: { keys: [ED25519] } } },
          },
        },
      },
    },
  }),
];
