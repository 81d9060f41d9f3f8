import { SCOPE_LIST } from "@partner-connect/contract";
import Type, { type TSchema } from "typebox";
import { CODE_VERIFIER, type TokenParameter } from "./authorization-parameters.ts";
import { EXAMPLE } from "./examples.ts";

type Parameters = Partial<Readonly<Record<TokenParameter, TSchema>>>;

const EXCHANGE: Parameters = {
  grant_type: Type.Literal("authorization_code", { description: "An exchange.", examples: ["authorization_code"] }),
  code: Type.String({ description: "The code that the browser brought.", examples: [EXAMPLE.code] }),
  redirect_uri: Type.String({
    format: "uri",
    description: "That of the authorization request, byte for byte, port included.",
    examples: [EXAMPLE.redirectUri],
  }),
  code_verifier: Type.String({
    pattern: CODE_VERIFIER.source,
    description: "Whose SHA-256 was the `code_challenge` (RFC 7636 §4.1).",
    examples: [EXAMPLE.codeVerifier],
  }),
};

const REFRESH: Parameters = {
  grant_type: Type.Literal("refresh_token", { description: "A refresh.", examples: ["refresh_token"] }),
  refresh_token: Type.String({ description: "The connection's.", examples: [EXAMPLE.refreshToken] }),
  scope: Type.Optional(
    Type.String({
      pattern: SCOPE_LIST.source,
      description: "Fewer scopes than the connection has, for this access token alone.",
      examples: ["responses:read"],
    }),
  ),
};

const TokenResponse = Type.Object(
  {
    access_token: Type.String({
      description: "Goes as `Authorization: Bearer …` with each call. Opaque to you.",
      examples: [EXAMPLE.accessToken],
    }),
    token_type: Type.Literal("Bearer", { description: "RFC 6750.", examples: ["Bearer"] }),
    expires_in: Type.Integer({
      description:
        "Seconds for which the access token works. 900 now; honour what is here, and refresh about a minute early.",
      examples: [900],
    }),
    scope: Type.String({
      description: "What was granted, one space between two scopes. It may be less than was asked.",
      examples: ["responses:read"],
    }),
    refresh_token: Type.Optional(
      Type.String({
        description:
          "Only of an exchange. Store it with the shop: it never rotates, and lives for 30 days from its last use.",
        examples: [EXAMPLE.refreshToken],
      }),
    ),
  },
  { $id: "TokenResponse", description: "An access token of one connection." },
);

export const TOKEN_SCHEMAS: readonly TSchema[] = [
  Type.Object(EXCHANGE as Readonly<Record<string, TSchema>>, {
    $id: "CodeExchange",
    description: "A code for tokens.",
  }),
  Type.Object(REFRESH as Readonly<Record<string, TSchema>>, {
    $id: "TokenRefresh",
    description: "A refresh token for a new access token.",
  }),
  TokenResponse,
];
