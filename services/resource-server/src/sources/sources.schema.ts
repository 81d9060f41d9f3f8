import {
  COUNTED,
  example,
  IGNORED_PARAMETERS,
  invalid,
  invalidAnswer,
  jsonAnswer,
  Source,
  STORED_SOURCE,
  text,
} from "@partner-connect/contract/openapi";
import Type from "typebox";
import { ERROR_ANSWERS, errorAnswer } from "../errors/error.schema.ts";
import { NewSource } from "./new-source.ts";

const sourceAnswer = (description: string, name: string, value: object) =>
  jsonAnswer(Source, description, [...COUNTED, IGNORED_PARAMETERS], {
    [name]: example(description, value),
  });

export const schema = {
  operationId: "createSource",
  tags: ["Sources"],
  summary: "Creates an attribution source, or replaces the one with the same `external_id`.",
  description:
    "Requires the shop's advanced attribution plan, which is checked on each call. With an `Idempotency-Key`, a repeated request gets the first response for 24 hours. " +
    "Only a 200 or 201 is kept; a refused request leaves the key free. Keys belong to the caller and the shop. Sources can't be listed or deleted.",
  headers: Type.Object({
    "Idempotency-Key": Type.Optional(
      text(
        "1 to 255 visible ASCII characters of your choice: a new key for each source, the same key for a retry.",
        "0e8f6b3c-6a39-4a8e-9a52-2f4d1f0f3b11",
        { minLength: 1, maxLength: 255 },
      ),
    ),
  }),
  body: NewSource,
  response: {
    200: sourceAnswer("An existing source was replaced.", "updated", {
      ...STORED_SOURCE,
      updated_at: "2024-03-01T12:00:00.000Z",
    }),
    201: sourceAnswer("The source was created.", "created", STORED_SOURCE),
    ...ERROR_ANSWERS,
    400: invalidAnswer({
      missing: invalid("name", "name must be a text of 1 to 200 characters.", "No name"),
      type: invalid(
        "type",
        "type must be one of podcast, youtube, influencer, tv, newsletter, event, other.",
        "An unknown type",
      ),
      no_object: invalid(
        "body",
        "The body must be a JSON object.",
        "An array instead of an object",
      ),
    }),
    413: errorAnswer("The body is larger than 32 KiB.", { payload_too_large: "A body of 33 KiB" }),
    415: errorAnswer("The body must be `application/json`, and not compressed.", {
      unsupported_media_type: "A form",
    }),
    422: errorAnswer(
      "The `Idempotency-Key` was used for another body within 24 hours. Nothing was done.",
      { idempotency_key_reused: "The same key, another name" },
    ),
  },
};
