import { SCOPE_LIST } from "@partner-connect/contract";
import {
  COUNTED,
  constant,
  type Examples,
  example,
  jsonAnswer,
  text,
} from "@partner-connect/contract/openapi";
import Type, { type Static, type TSchema } from "typebox";
import { EXAMPLE, refusal, tokenRefusal, UNAUTHORIZED_CLIENT } from "../openapi.ts";
import {
  CODE_VERIFIER_PATTERN,
  GRANT_REVOKED,
  REFRESH_TOKEN_EXPIRED,
  type TokenParameter,
} from "../protocol.ts";

type Parameters = Partial<Readonly<Record<TokenParameter, TSchema>>>;

const EXCHANGE: Parameters = {
  grant_type: constant("authorization_code", "An exchange."),
  code: text("The `code` parameter of the callback.", EXAMPLE.code),
  redirect_uri: text(
    "The `redirect_uri` of the authorization request, byte for byte, including the port.",
    EXAMPLE.redirectUri,
    { format: "uri" },
  ),
  code_verifier: text(
    "The verifier whose SHA-256 was the `code_challenge` (RFC 7636 §4.1).",
    EXAMPLE.codeVerifier,
    { pattern: CODE_VERIFIER_PATTERN.source },
  ),
};

const REFRESH: Parameters = {
  grant_type: constant("refresh_token", "A refresh."),
  refresh_token: text("The connection's refresh token.", EXAMPLE.refreshToken),
  scope: Type.Optional(
    text("A subset of the connection's scopes, only for this access token.", "responses:read", {
      pattern: SCOPE_LIST.source,
    }),
  ),
};

export const TokenResponse = Type.Object(
  {
    access_token: text(
      "Send it as `Authorization: Bearer …` with each call. Opaque.",
      EXAMPLE.accessToken,
    ),
    token_type: constant("Bearer", "RFC 6750."),
    expires_in: Type.Integer({
      description:
        "Lifetime of the access token in seconds. Currently 900; use this value, and refresh about a minute early.",
      examples: [900],
    }),
    scope: text(
      "The granted scopes, space-separated. May be fewer than requested.",
      "responses:read",
    ),
    refresh_token: Type.Optional(
      text(
        "Only after an exchange. Store it with the shop: it never rotates, and expires 30 days after its last use.",
        EXAMPLE.refreshToken,
      ),
    ),
  },
  { $id: "TokenResponse", description: "An access token of one connection." },
);

export type TokenResponse = Static<typeof TokenResponse>;

/** The two forms of a token request; `TokenRequest` has the rules. */
const TOKEN_FORMS: readonly TSchema[] = [
  Type.Object(EXCHANGE as Readonly<Record<string, TSchema>>, {
    $id: "CodeExchange",
    description: "Exchanges a code for tokens.",
  }),
  Type.Object(REFRESH as Readonly<Record<string, TSchema>>, {
    $id: "TokenRefresh",
    description: "Exchanges a refresh token for a new access token.",
  }),
];

export const REFRESH_RESPONSE_EXAMPLE = {
  access_token: EXAMPLE.accessToken,
  token_type: "Bearer",
  expires_in: 900,
  scope: "responses:read",
};

const REQUESTS: Examples = {
  exchange: example("A code for tokens", {
    grant_type: "authorization_code",
    code: EXAMPLE.code,
    redirect_uri: EXAMPLE.redirectUri,
    code_verifier: EXAMPLE.codeVerifier,
  }),
  refresh: example("A new access token", {
    grant_type: "refresh_token",
    refresh_token: EXAMPLE.refreshToken,
  }),
  narrower: example("A new access token with fewer scopes", {
    grant_type: "refresh_token",
    refresh_token: EXAMPLE.refreshToken,
    scope: "responses:read",
  }),
};

const ANSWERS: Examples = {
  exchange: {
    summary: "After an exchange",
    value: { ...REFRESH_RESPONSE_EXAMPLE, refresh_token: EXAMPLE.refreshToken },
  },
  refresh: {
    summary: "After a refresh: without a refresh token, so keep yours",
    value: REFRESH_RESPONSE_EXAMPLE,
  },
};

const REFUSALS: Examples = {
  refresh_token_expired: refusal(
    "invalid_grant",
    REFRESH_TOKEN_EXPIRED,
    "30 days without use: the merchant must connect again; don't retry",
  ),
  grant_revoked: refusal(
    "invalid_grant",
    GRANT_REVOKED,
    "The connection has ended or is on hold, as its status in the list says; don't retry",
  ),
  superseded: refusal(
    "invalid_grant",
    "superseded by a newer authorization",
    "The merchant has since connected again: use the newer refresh token",
  ),
  code_used: refusal(
    "invalid_grant",
    "the code is unknown, expired or already used",
    "Not one of your codes, already exchanged, or older than five minutes",
  ),
  missing: refusal("invalid_request", "code is missing", "A parameter is missing"),
  unauthorized_client: UNAUTHORIZED_CLIENT,
  unsupported_grant_type: refusal(
    "unsupported_grant_type",
    "grant_type must be authorization_code or refresh_token",
    "An unknown grant type",
  ),
  invalid_scope: refusal(
    "invalid_scope",
    "scope has a value that the connection does not have",
    "A scope that the connection does not have",
  ),
};

export const schema = {
  operationId: "token",
  tags: ["Authorization"],
  summary: "Exchanges a code for tokens, or refreshes an access token.",
  description:
    "Authenticate by HTTP Basic; credentials anywhere else are refused. Each parameter may be given once. A code works once; a refused exchange does not use it up, unless it was already used or is too old. " +
    "Refreshes are safe to retry after a timeout. Run one refresh at a time per connection.",
  body: {
    description: "The parameters of one of the two grants, form-encoded.",
    content: {
      "application/x-www-form-urlencoded": {
        schema: Type.Unsafe({ oneOf: TOKEN_FORMS }),
        examples: REQUESTS,
      },
    },
  },
  response: {
    200: jsonAnswer(TokenResponse, "The tokens.", [...COUNTED, "cache-control"], ANSWERS),
    400: tokenRefusal(
      "The request is refused. Branch on `error`; don't retry `invalid_grant` in a loop.",
      [],
      REFUSALS,
    ),
  },
};
