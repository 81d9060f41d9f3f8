import Type from "typebox";
import Format from "typebox/format";
import { ERROR_ANSWERS, errorAnswer } from "../errors/error.schema.ts";
import { field } from "../http/validate-bodies.ts";
import { orNull, Timestamp } from "../openapi/record.schema.ts";
import { isHttpUrl, isStorable } from "./source-text.ts";

const SOURCE_TYPES = ["podcast", "youtube", "influencer", "tv", "newsletter", "event", "other"] as const;

const MAX_NAME = 200;
const MAX_EXTERNAL_ID = 255;
const MAX_URL = 2048;
const MAX_ALIASES = 100;

// What `format: "uri"` means here. TypeBox's own meaning refuses letters beyond ASCII.
Format.Set("uri", isHttpUrl);

const length = (maxLength: number) => ({ minLength: 1, maxLength });
const textOf = (max: number): string => `a text of 1 to ${max} characters`;
const Name = field(Type.String(length(MAX_NAME)), textOf(MAX_NAME), isStorable);

const FIELDS = {
  name: Name,
  type: field(Type.Enum(SOURCE_TYPES), `one of ${SOURCE_TYPES.join(", ")}`),
  external_id: field(
    orNull<string>("string", {
      ...length(MAX_EXTERNAL_ID),
      description: "Your own id; at most one source has it.",
    }),
    textOf(MAX_EXTERNAL_ID),
    isStorable,
  ),
  url: field(
    orNull<string>("string", { ...length(MAX_URL), format: "uri", description: "An absolute http or https URL." }),
    `an absolute http or https URL of at most ${MAX_URL} characters`,
  ),
  aliases: field(
    orNull<string[]>("array", { items: Name, maxItems: MAX_ALIASES }),
    `an array of at most ${MAX_ALIASES} texts`,
  ),
};

/** What a caller says of an attribution source. */
export const NewSourceBody = Type.Object(
  {
    ...FIELDS,
    external_id: Type.Optional(FIELDS.external_id),
    url: Type.Optional(FIELDS.url),
    aliases: Type.Optional(FIELDS.aliases),
  },
  { $id: "NewSource" },
);

const Source = Type.Object(
  { id: Type.String(), ...FIELDS, aliases: Type.Array(Name), inserted_at: Timestamp, updated_at: Timestamp },
  { $id: "Source" },
);

export const SOURCE_SCHEMAS = [NewSourceBody, Source];

export const createSourceSchema = {
  operationId: "createSource",
  summary: "Creates an attribution source, or updates the one with the same external_id.",
  headers: Type.Object({
    "Idempotency-Key": Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: "A retry with the same key within 24 hours gets the first answer.",
      }),
    ),
  }),
  body: NewSourceBody,
  response: {
    200: Type.Ref("Source#", { description: "The source was there, and is updated." }),
    201: Type.Ref("Source#", { description: "The source was created." }),
    ...ERROR_ANSWERS,
    413: errorAnswer("The body is larger than 32 KiB.", { payload_too_large: "A body of 33 KiB" }),
    415: errorAnswer("The body must be `application/json`.", { unsupported_media_type: "A form" }),
    422: errorAnswer("The `Idempotency-Key` was used for another body within 24 hours. Nothing was done.", {
      idempotency_key_reused: "The same key, another name",
    }),
  },
};
