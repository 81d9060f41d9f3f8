import { COUNTED, example, field, jsonAnswer, text } from "@partner-connect/contract/openapi";
import Type from "typebox";
import { EXAMPLE, refusal, tokenRefusal, UNAUTHORIZED_CLIENT } from "../openapi.ts";
import { GRANT_REVOKED, MAX_BATCH } from "../protocol.ts";
import { REFRESHED, TokenResponse } from "./token.schema.ts";

const RESULTS = [
  REFRESHED,
  { error: "invalid_grant", error_description: GRANT_REVOKED },
  {
    error: "temporarily_unavailable",
    error_description: "this connection can't be asked for now; the refresh token is as good as before",
    retry_after: 2,
  },
];

export const BatchRequest = Type.Object(
  {
    refresh_tokens: field(
      Type.Array(text("A connection's.", EXAMPLE.refreshToken), {
        minItems: 1,
        maxItems: MAX_BATCH,
        description: "Of your connections, in any order. One that is named twice is answered alike twice.",
        examples: [[EXAMPLE.refreshToken]],
      }),
      `an array of 1 to ${MAX_BATCH} strings`,
    ),
  },
  {
    $id: "BatchRequest",
    description: "Refresh tokens of one client.",
    "x-examples": { batch: example("Many in one call", { refresh_tokens: [EXAMPLE.refreshToken] }) },
  },
);

const BatchRefusal = Type.Object(
  {
    error: text("Branch on this.", "invalid_grant", {
      "x-extensible-enum": ["invalid_grant", "invalid_request", "temporarily_unavailable"],
    }),
    error_description: text(
      "As of a refresh of its own. Only `refresh token expired` and `grant revoked` are stable, both of `invalid_grant`: the merchant must connect again.",
      GRANT_REVOKED,
    ),
    retry_after: Type.Optional(
      Type.Integer({
        description: "Only of `temporarily_unavailable`: whole seconds to wait before this one is refreshed again.",
        examples: [2],
      }),
    ),
  },
  { $id: "BatchRefusal", description: "Why one token of a batch was not refreshed. The others are not concerned." },
);

const BatchResponse = Type.Object(
  {
    results: Type.Array(Type.Unsafe({ oneOf: [TokenResponse, BatchRefusal] }), {
      description: "One for each token, in the order of the request.",
      examples: [RESULTS],
    }),
  },
  { $id: "BatchResponse", description: "What came of a batch." },
);

export const batchSchema = {
  operationId: "refreshTokenBatch",
  tags: ["Authorization"],
  summary: "Refreshes the access tokens of up to 1,000 connections in one call.",
  description:
    "Authenticate by HTTP Basic. The call counts as one of the token endpoint. For each token the answer has what a refresh of its own would have said, in the order of the request. " +
    "`temporarily_unavailable` concerns that token alone, which is as good as before: refresh it again after `retry_after` seconds. It may be repeated as a whole. The body has at most 256 KB.",
  body: BatchRequest,
  response: {
    200: jsonAnswer(BatchResponse, "What came of each.", [...COUNTED, "cache-control"], {
      batch: example("One was refreshed, one was ended, and of one the store is away", {
        results: RESULTS,
      }),
    }),
    400: tokenRefusal("The request is refused as a whole.", [], {
      malformed: refusal(
        "invalid_request",
        `refresh_tokens must be an array of 1 to ${MAX_BATCH} strings`,
        "None, more than 1,000, or something that is no string",
      ),
      no_json: refusal(
        "invalid_request",
        "the body must be a JSON object, of type application/json",
        "A form in place of JSON",
      ),
      unauthorized_client: UNAUTHORIZED_CLIENT,
    }),
  },
};
