import { COUNTED, example, jsonAnswer, type OperationSchema, text } from "@partner-connect/public-api/document";
import Type from "typebox";
import { ERROR_ANSWERS, errorAnswer, invalid, invalidAnswer } from "../errors/error.schema.ts";
import { NewSourceBody } from "./source.schema.ts";

const SENT = { name: "Slow Mornings", type: "podcast", external_id: "show-112" };
const MADE = {
  id: "src_018d1f3ae0507a11b2c93c5d7e9f0a1b",
  ...SENT,
  url: "https://slowmornings.example/",
  aliases: ["slow mornings pod"],
  inserted_at: "2024-01-19T00:10:00.000Z",
  updated_at: "2024-01-19T00:10:00.000Z",
};

const answer = (description: string, name: string, value: object) =>
  jsonAnswer("Source", description, COUNTED, { [name]: example(description, value) });

export const createSourceSchema = {
  operationId: "createSource",
  summary: "Creates an attribution source, or updates the one with the same `external_id`.",
  description:
    "Needs the shop's advanced attribution plan, which is looked at with each call. With an `Idempotency-Key` a repeated request gets the first answer for 24 hours.",
  headers: Type.Object({
    "Idempotency-Key": Type.Optional(
      text(
        "1 to 255 visible ASCII characters of your own choice, a new one for each source. A retry has the same.",
        "0e8f6b3c-6a39-4a8e-9a52-2f4d1f0f3b11",
        { minLength: 1, maxLength: 255 },
      ),
    ),
  }),
  body: NewSourceBody,
  examples: {
    full: example("With all that you can say", { ...SENT, url: MADE.url, aliases: MADE.aliases }),
    short: example("With what is required", { name: "Kitchen Table Talk", type: "podcast" }),
  },
  response: {
    200: answer("The source was there, and is updated.", "updated", {
      ...MADE,
      updated_at: "2024-03-01T12:00:00.000Z",
    }),
    201: answer("The source was created.", "created", MADE),
    ...ERROR_ANSWERS,
    400: invalidAnswer({
      missing: invalid("name", "name must be a text of 1 to 200 characters.", "No name"),
      type: invalid(
        "type",
        "type must be one of podcast, youtube, influencer, tv, newsletter, event, other.",
        "A type that there isn't",
      ),
      no_object: invalid("body", "The body must be a JSON object.", "A list in place of an object"),
    }),
    413: errorAnswer("The body is larger than 32 KiB.", { payload_too_large: "A body of 33 KiB" }),
    415: errorAnswer("The body must be `application/json`.", { unsupported_media_type: "A form" }),
    422: errorAnswer("The `Idempotency-Key` was used for another body within 24 hours. Nothing was done.", {
      idempotency_key_reused: "The same key, another name",
    }),
  },
} satisfies OperationSchema;
