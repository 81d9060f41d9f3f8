import { field } from "@partner-connect/contract/openapi";
import {
  DELETION_FIELDS,
  type DescribedFields,
  type Field,
  OPTION_DESCRIPTIONS,
  PRODUCT_QUESTION_FIELDS,
  PRODUCT_RESPONSE_FIELDS,
  QUESTION_DESCRIPTIONS,
  RESPONSE_DESCRIPTIONS,
  RESPONSE_FIELDS,
} from "@partner-connect/survey-data";
import Type, { type TSchema } from "typebox";
import { ID_WORDS } from "./openapi.ts";

export const NDJSON = Type.String({ description: "A record on each line." });

/** The JSON types of each kind of field. All fields except required ones may also be null. */
const JSON_TYPES: Readonly<Record<Field["kind"], readonly string[]>> = {
  text: ["string"],
  decimal: ["string"],
  timestamp: ["string"],
  reference: ["string", "integer"],
  integer: ["integer"],
  boolean: ["boolean"],
  boolean_or_text: ["boolean", "string"],
  list: ["array"],
};

const FORMS: Partial<Readonly<Record<Field["kind"], object>>> = {
  decimal: { pattern: "^-?\\d+(\\.\\d+)?$" },
  timestamp: { format: "date-time" },
};

function recordOf(
  fields: readonly Field[],
  described: DescribedFields,
  more: object = {},
): TSchema {
  const properties = fields
    .filter((each) => !each.refused)
    .map(({ name, kind, required, oneOf, fields: items }) => {
      const none = required ? [] : ["null"];
      const values = oneOf && { enum: required ? oneOf : [...oneOf, null] };
      const [description, shown] = described[name] ?? [];
      const form = {
        type: [...JSON_TYPES[kind], ...none],
        ...FORMS[kind],
        ...values,
        description,
        examples: [shown],
      };
      return [name, { ...form, ...(items && { items: recordOf(items, OPTION_DESCRIPTIONS) }) }];
    });
  const required = fields.filter((each) => each.required).map(({ name }) => name);
  return Type.Unsafe({
    type: "object",
    properties: Object.fromEntries(properties),
    required,
    ...more,
  });
}

/** The description of `inserted_at` for the product; partners get another one. */
const INSERTED_AT = "When the customer answered, or the question was created. Default: now.";
const VERSION =
  "A whole number that grows with each change in your product. A call with a lower version than the stored one changes nothing.";
const describeFields = (fields: DescribedFields, id: string): DescribedFields => ({
  ...fields,
  id: [id, fields["id"]?.[1]],
  inserted_at: [INSERTED_AT, fields["inserted_at"]?.[1]],
  version: [VERSION, 7],
});
const OF_RESPONSES = describeFields(RESPONSE_DESCRIPTIONS, `Your id of the response: ${ID_WORDS}.`);
const OF_QUESTIONS = describeFields(
  QUESTION_DESCRIPTIONS,
  "Your id of the question, unique in its shop: `question_id` of responses.",
);

export const RECORDS = {
  responses: recordOf(PRODUCT_RESPONSE_FIELDS, OF_RESPONSES, {
    $id: "Response",
    description:
      "It has `question`, or the `question_id` of a stored question; and `response`, `other_response`, or the `response_id` of an option of that question.",
  }),
  questions: recordOf(PRODUCT_QUESTION_FIELDS, OF_QUESTIONS, {
    $id: "Question",
    description: "A question and its options.",
  }),
  deletions: recordOf(DELETION_FIELDS, OF_RESPONSES, {
    $id: "Deletion",
    description: "A response to delete.",
  }),
};
/** A response as it is stored, but without its version. */
export const StoredResponse = recordOf(RESPONSE_FIELDS, RESPONSE_DESCRIPTIONS, {
  $id: "StoredResponse",
  description: "A response as partners read it.",
});

const countField = (description: string, shown: number) =>
  Type.Integer({ description, examples: [shown] });
export const Stored = Type.Object(
  {
    created: countField("Records that were new.", 998),
    updated: countField("Records that changed.", 1),
    unchanged: countField(
      "Records that were stored already, were repeated in the call, or have a lower `version` than the stored one.",
      1,
    ),
  },
  { $id: "Stored", description: "What the call did; the three add up to its records." },
);

export const Deleted = Type.Object(
  {
    deleted: countField("Responses that existed.", 1),
    unchanged: countField("Responses that did not exist, or have a higher `version`.", 0),
  },
  { $id: "Deleted", description: "What the call did; the two add up to its records." },
);

const version = Type.Integer({
  ...{ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [7] },
  description:
    "If the response has a higher version, it isn't deleted. The version of a deletion is stored.",
});
export const Deletion = Type.Object({
  version: Type.Optional(field(version, "a whole number from 0 to 2^53 − 1")),
});

export const NewCategory = Type.Object({
  response: field(
    Type.String({ minLength: 1, description: "The response's category.", examples: ["Podcast"] }),
    "a text that is not empty",
  ),
});
