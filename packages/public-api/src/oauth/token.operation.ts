import { SCOPE_LIST } from "@partner-connect/access-token";
import Type from "typebox";
import type { Operation } from "../document/operation.ts";
import { COUNTED, refusal, TOKEN_FAULTS, tokenRefusal } from "./answers.ts";
import { CODE_VERIFIER } from "./authorization-parameters.ts";
import { TOKEN_PATH } from "./paths.ts";
import { GRANT_REVOKED, REFRESH_TOKEN_EXPIRED } from "./token-errors.ts";

const CodeExchange = Type.Object(
  {
    grant_type: Type.Literal("authorization_code", { description: "An exchange.", examples: ["authorization_code"] }),
    code: Type.String({
      description: "The code that the browser brought.",
      examples: ["vYcA0-Jm1kRz3tW8nQ5xLs7bE2dF6gH9iKoPpUuTtSs"],
    }),
    redirect_uri: Type.String({
      format: "uri",
      description: "That of the authorization request, byte for byte, port included.",
      examples: ["https://partner.example/callback"],
    }),
    code_verifier: Type.String({
      pattern: CODE_VERIFIER.source,
      description: "Whose SHA-256 was the `code_challenge` (RFC 7636 §4.1).",
      examples: ["dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"],
    }),
  },
  { $id: "CodeExchange" },
);

const TokenRefresh = Type.Object(
  {
    grant_type: Type.Literal("refresh_token", { description: "A refresh.", examples: ["refresh_token"] }),
    refresh_token: Type.String({ description: "The connection's.", examples: ["pcr_…_shop_…"] }),
    scope: Type.Optional(
      Type.String({
        pattern: SCOPE_LIST.source,
        description: "Fewer scopes than the connection has, for this access token alone.",
        examples: ["responses:read"],
      }),
    ),
  },
  { $id: "TokenRefresh" },
);

const TokenResponse = Type.Object(
  {
    access_token: Type.String({
      description: "Goes as `Authorization: Bearer …` with each call. Opaque to you.",
      examples: ["eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9…"],
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
        examples: ["pcr_…_shop_…"],
      }),
    ),
  },
  { $id: "TokenResponse" },
);

export const TOKEN_SCHEMAS = [CodeExchange, TokenRefresh, TokenResponse];

export const TOKEN_OPERATION: Operation = {
  method: "post",
  path: TOKEN_PATH,
  tag: "Authorization",
  caller: "client",
  schema: {
    operationId: "token",
    summary: "Exchanges a code for tokens, or refreshes an access token.",
    description:
      "Authenticate by HTTP Basic; credentials anywhere else are refused. Each parameter may be given once. A refresh may be repeated: after a timeout, send it again. Run one refresh at a time for each connection.",
    body: {
      description: "The form of one of the two grants.",
      content: {
        "application/x-www-form-urlencoded": {
          schema: Type.Unsafe({ oneOf: [Type.Ref("CodeExchange#"), Type.Ref("TokenRefresh#")] }),
          examples: {
            exchange: {
              summary: "A code for tokens",
              value: {
                grant_type: "authorization_code",
                code: "vYcA0-Jm1kRz3tW8nQ5xLs7bE2dF6gH9iKoPpUuTtSs",
                redirect_uri: "https://partner.example/callback",
                code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
              },
            },
            refresh: {
              summary: "A new access token",
              value: { grant_type: "refresh_token", refresh_token: "pcr_…_shop_…" },
            },
          },
        },
      },
    },
    response: {
      200: {
        description: "The tokens.",
        headers: [...COUNTED, "cache-control"],
        content: {
          "application/json": {
            schema: Type.Ref("TokenResponse#"),
            examples: {
              exchange: {
                summary: "Of an exchange",
                value: {
                  access_token: "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9…",
                  token_type: "Bearer",
                  expires_in: 900,
                  scope: "responses:read",
                  refresh_token: "pcr_…_shop_…",
                },
              },
              refresh: {
                summary: "Of a refresh: there is no refresh token in it, keep yours",
                value: {
                  access_token: "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9…",
                  token_type: "Bearer",
                  expires_in: 900,
                  scope: "responses:read",
                },
              },
            },
          },
        },
      },
      400: tokenRefusal("The request is refused. Don't retry `invalid_grant` in a loop.", [], {
        refresh_token_expired: refusal(
          "invalid_grant",
          REFRESH_TOKEN_EXPIRED,
          "30 days without use: the merchant must connect again",
        ),
        grant_revoked: refusal(
          "invalid_grant",
          GRANT_REVOKED,
          "The merchant or an operator ended the connection: the merchant must connect again",
        ),
        code_used: refusal(
          "invalid_grant",
          "the code is unknown, expired or already used",
          "A code that can't be exchanged",
        ),
        verifier_mismatch: refusal(
          "invalid_grant",
          "code_verifier mismatch",
          "Another verifier than that of the challenge",
        ),
        invalid_request: refusal("invalid_request", "code is missing", "A parameter is missing, malformed or repeated"),
        unauthorized_client: refusal(
          "unauthorized_client",
          "this client may not use refresh_token",
          "A grant type that was not enabled for you",
        ),
        unsupported_grant_type: refusal(
          "unsupported_grant_type",
          "grant_type must be authorization_code or refresh_token",
          "An unknown grant type",
        ),
        invalid_scope: refusal(
          "invalid_scope",
          "scope has a value that the connection does not have",
          "More than the connection has",
        ),
      }),
      401: tokenRefusal("No credentials of an active client in the Basic header.", ["www-authenticate"], {
        invalid_client: refusal(
          "invalid_client",
          "client authentication failed",
          "Whatever was wrong with the credentials",
        ),
      }),
      ...TOKEN_FAULTS,
    },
  },
};
