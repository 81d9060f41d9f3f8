import { answer, COUNTED, example, text } from "@partner-connect/contract/openapi";
import Type, { type TSchema } from "typebox";
import { EXAMPLE, refusal, tokenRefusal } from "../openapi.ts";
import type { RevocationParameter } from "../protocol.ts";

const PARAMETERS: Readonly<Record<RevocationParameter, TSchema>> = {
  token: text(
    "The refresh token, or a valid access token, of the connection to end.",
    EXAMPLE.refreshToken,
  ),
  token_type_hint: Type.Optional(
    text("Ignored: the token itself identifies its type.", "refresh_token"),
  ),
};

const Revocation = Type.Object(PARAMETERS, {
  $id: "Revocation",
  description: "A token of the connection to end (RFC 7009).",
});

export const schema = {
  operationId: "revoke",
  tags: ["Authorization"],
  summary: "Ends a connection (RFC 7009).",
  description:
    "Authenticate by HTTP Basic. The connection and all its tokens end immediately, as when the merchant disconnects your app: refreshes get `grant revoked`, calls get 403. " +
    "A token that is unknown, of another client, of an older authorization or of an ended connection, or an expired access token, has no effect, and the response is the same.",
  body: {
    description: "The token, form-encoded.",
    content: {
      "application/x-www-form-urlencoded": {
        schema: Revocation,
        examples: { revocation: example("End this connection", { token: EXAMPLE.refreshToken }) },
      },
    },
  },
  response: {
    200: answer("The connection has ended, or the token had no effect. The body is empty.", [
      ...COUNTED,
      "cache-control",
    ]),
    400: tokenRefusal("The request is refused.", [], {
      missing: refusal("invalid_request", "token is missing", "No token"),
    }),
  },
};
