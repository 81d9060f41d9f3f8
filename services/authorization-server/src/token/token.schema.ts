import { SCOPE_LIST } from "@partner-connect/contract";
import { constant, text } from "@partner-connect/contract/openapi";
import Type, { type Static, type TSchema } from "typebox";
import { EXAMPLE } from "../openapi.ts";
import { CODE_VERIFIER, type TokenParameter } from "../protocol.ts";

type Parameters = Partial<Readonly<Record<TokenParameter, TSchema>>>;

const EXCHANGE: Parameters = {
  grant_type: constant("authorization_code", "An exchange."),
  code: text("The `code` parameter of the callback.", EXAMPLE.code),
  redirect_uri: text(
    "The `redirect_uri` of the authorization request, byte for byte, including the port.",
    EXAMPLE.redirectUri,
    {
      format: "uri",
    },
  ),
  code_verifier: text(
    "The verifier whose SHA-256 was the `code_challenge` (RFC 7636 §4.1).",
    EXAMPLE.codeVerifier,
    {
      pattern: CODE_VERIFIER.source,
    },
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

/** Spec, Token response. */
export type TokenResponse = Static<typeof TokenResponse>;

/** The two forms of a token request; `TokenRequest` has the rules. */
export const TOKEN_FORMS: readonly TSchema[] = [
  Type.Object(EXCHANGE as Readonly<Record<string, TSchema>>, {
    $id: "CodeExchange",
    description: "Exchanges a code for tokens.",
  }),
  Type.Object(REFRESH as Readonly<Record<string, TSchema>>, {
    $id: "TokenRefresh",
    description: "Exchanges a refresh token for a new access token.",
  }),
];

export const REFRESHED = {
  access_token: EXAMPLE.accessToken,
  token_type: "Bearer",
  expires_in: 900,
  scope: "responses:read",
};
