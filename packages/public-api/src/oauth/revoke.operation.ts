import Type, { type TSchema } from "typebox";
import { COUNTED, example, text } from "../document/described.ts";
import type { Operation } from "../document/operation.ts";
import { CLIENT_FAULTS, CLIENT_REFUSED, refusal, tokenRefusal } from "./answers.ts";
import { EXAMPLE } from "./examples.ts";
import { REVOCATION_PATH, type RevocationParameter } from "./protocol.ts";

const PARAMETERS: Readonly<Record<RevocationParameter, TSchema>> = {
  token: text(
    "The refresh token, or an access token that still lives, of the connection that is to end.",
    EXAMPLE.refreshToken,
  ),
  token_type_hint: Type.Optional(text("Changes nothing: a token says itself what it is.", "refresh_token")),
};

export const REVOCATION_SCHEMAS: readonly TSchema[] = [
  Type.Object(PARAMETERS, { $id: "Revocation", description: "A token of the connection that is to end (RFC 7009)." }),
];

export const REVOKE_OPERATION: Operation = {
  method: "post",
  path: REVOCATION_PATH,
  tag: "Authorization",
  caller: "client",
  schema: {
    operationId: "revoke",
    summary: "Ends a connection (RFC 7009).",
    description:
      "Authenticate by HTTP Basic. The connection ends at once with all of its tokens, as when the merchant disconnects your app: refreshes say `grant revoked`, calls 403. " +
      "A token that is unknown, expired, another client's, of an older authorization or of a connection that has ended ends nothing, and the answer is the same.",
    body: {
      description: "The form.",
      content: {
        "application/x-www-form-urlencoded": {
          schema: Type.Ref("Revocation#"),
          examples: { revocation: example("End this connection", { token: EXAMPLE.refreshToken }) },
        },
      },
    },
    response: {
      200: {
        description: "No token of the connection works, or the token was none that ends anything. The body is empty.",
        headers: [...COUNTED, "cache-control"],
      },
      400: tokenRefusal("The request is refused.", [], {
        missing: refusal("invalid_request", "token is missing", "No token"),
      }),
      401: CLIENT_REFUSED,
      ...CLIENT_FAULTS,
    },
  },
};
