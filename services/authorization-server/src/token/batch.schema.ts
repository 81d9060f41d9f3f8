import { COUNTED, example, field, jsonAnswer, text } from "@partner-connect/contract/openapi";
import Type, { type Static } from "typebox";
import { RETRY_AFTER_SECONDS } from "../errors.ts";
import { EXAMPLE, refusal, tokenRefusal, UNAUTHORIZED_CLIENT } from "../openapi.ts";
import { GRANT_REVOKED, MAX_BATCH } from "../protocol.ts";
import { REFRESH_RESPONSE_EXAMPLE, TokenResponse } from "./token.schema.ts";

export const UNAVAILABLE = {
  error: "temporarily_unavailable",
  error_description: "the connection can't be looked up now; the refresh token is unaffected",
  retry_after: RETRY_AFTER_SECONDS,
} as const;

const REVOKED = { error: "invalid_grant", error_description: GRANT_REVOKED };

const RESULTS = [REFRESH_RESPONSE_EXAMPLE, REVOKED, UNAVAILABLE];

const BatchRequest = Type.Object(
  {
    refresh_tokens: field(
      Type.Array(text("A connection's refresh token.", EXAMPLE.refreshToken), {
        minItems: 1,
        maxItems: MAX_BATCH,
        description:
          "Refresh tokens of your connections, in any order. A repeated token gets the same result twice.",
        examples: [[EXAMPLE.refreshToken]],
      }),
      `an array of 1 to ${MAX_BATCH} strings`,
    ),
  },
  {
    $id: "BatchRequest",
    description: "A batch of refresh tokens of one client.",
    "x-examples": {
      batch: example("Many in one call", { refresh_tokens: [EXAMPLE.refreshToken] }),
    },
  },
);

export type BatchRequest = Static<typeof BatchRequest>;

const BatchRefusal = Type.Object(
  {
    error: text("Branch on this code.", "invalid_grant", {
      "x-extensible-enum": ["invalid_grant", "invalid_request", "temporarily_unavailable"],
    }),
    error_description: text(
      "As for a single refresh. Only `refresh token expired`, `grant revoked` and `superseded by a newer authorization` (all `invalid_grant`) are stable.",
      GRANT_REVOKED,
    ),
    retry_after: Type.Optional(
      Type.Integer({
        description:
          "Only with `temporarily_unavailable`: whole seconds to wait before you refresh this token again.",
        examples: [2],
      }),
    ),
  },
  {
    $id: "BatchRefusal",
    description: "Why one token of a batch was not refreshed. The other tokens are unaffected.",
  },
);

const BatchResponse = Type.Object(
  {
    results: Type.Array(Type.Unsafe({ oneOf: [TokenResponse, BatchRefusal] }), {
      description: "One result per token, in the order of the request.",
      examples: [RESULTS],
    }),
  },
  { $id: "BatchResponse", description: "The results of a batch." },
);

export const schema = {
  operationId: "refreshTokenBatch",
  tags: ["Authorization"],
  summary: "Refreshes the access tokens of up to 1,000 connections in one call.",
  description:
    "Authenticate by HTTP Basic. The call counts as one token request. The results, in the order of the request, are those of single refreshes. " +
    "`temporarily_unavailable` concerns only that token, which is unaffected: refresh it again after `retry_after` seconds. The whole request may be repeated. The body is limited to 256 KB.",
  body: BatchRequest,
  response: {
    200: jsonAnswer(BatchResponse, "One result per token.", [...COUNTED, "cache-control"], {
      batch: example("One token was refreshed, one was revoked, and one could not be looked up", {
        results: RESULTS,
      }),
    }),
    400: tokenRefusal("The whole request is refused.", [], {
      malformed: refusal(
        "invalid_request",
        `refresh_tokens must be an array of 1 to ${MAX_BATCH} strings`,
        "No token, more than 1,000, or one that is not a string",
      ),
      unauthorized_client: UNAUTHORIZED_CLIENT,
    }),
  },
};
