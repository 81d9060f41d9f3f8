import { SCOPE_LIST } from "@partner-connect/contract";
import { constant, text } from "@partner-connect/contract/openapi";
import Type, { type TSchema } from "typebox";
import { EXAMPLE } from "../openapi.ts";
import { CODE_VERIFIER, type TokenParameter } from "../protocol.ts";

type Parameters = Partial<Readonly<Record<TokenParameter, TSchema>>>;

const EXCHANGE: Parameters = {
  grant_type: constant("authorization_code", "An exchange."),
  code: text("The code that the browser brought.", EXAMPLE.code),
  redirect_uri: text("That of the authorization request, byte for byte, port included.", EXAMPLE.redirectUri, {
    format: "uri",
  }),
  code_verifier: text("Whose SHA-256 was the `code_challenge` (RFC 7636 §4.1).", EXAMPLE.codeVerifier, {
    pattern: CODE_VERIFIER.source,
  }),
};

const REFRESH: Parameters = {
  grant_type: constant("refresh_token", "A refresh."),
  refresh_token: text("The connection's.", EXAMPLE.refreshToken),
  scope: Type.Optional(
    text("Fewer scopes than the connection has, for this access token alone.", "responses:read", {
      pattern: SCOPE_LIST.source,
    }),
  ),
};

export const TokenResponse = Type.Object(
  {
    access_token: text("Goes as `Authorization: Bearer …` with each call. Opaque to you.", EXAMPLE.accessToken),
    token_type: constant("Bearer", "RFC 6750."),
    expires_in: Type.Integer({
      description:
        "Seconds for which the access token works. 900 now; honour what is here, and refresh about a minute early.",
      examples: [900],
    }),
    scope: text("What was granted, one space between two scopes. It may be less than was asked.", "responses:read"),
    refresh_token: Type.Optional(
      text(
        "Only of an exchange. Store it with the shop: it never rotates, and lives for 30 days from its last use.",
        EXAMPLE.refreshToken,
      ),
    ),
  },
  { $id: "TokenResponse", description: "An access token of one connection." },
);

/** The two forms of a token request; `TokenRequest` has the rules. */
export const TOKEN_FORMS: readonly TSchema[] = [
  Type.Object(EXCHANGE as Readonly<Record<string, TSchema>>, {
    $id: "CodeExchange",
    description: "A code for tokens.",
  }),
  Type.Object(REFRESH as Readonly<Record<string, TSchema>>, {
    $id: "TokenRefresh",
    description: "A refresh token for a new access token.",
  }),
];

export const REFRESHED = {
  access_token: EXAMPLE.accessToken,
  token_type: "Bearer",
  expires_in: 900,
  scope: "responses:read",
};
