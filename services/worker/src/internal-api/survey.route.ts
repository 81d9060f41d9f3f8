import type { Readable } from "node:stream";
import { example, field } from "@partner-connect/contract/openapi";
import type { Sql } from "@partner-connect/database";
import { findProductShop } from "@partner-connect/directory";
import { type Semaphore, unavailable } from "@partner-connect/service-runtime";
import {
  DELETION_FIELDS,
  type DescribedFields,
  deleteQuestion,
  deleteResponses,
  type Field,
  FieldError,
  type ImportResult,
  OPTION_DESCRIPTIONS,
  PRODUCT_QUESTION_FIELDS,
  PRODUCT_RESPONSE_FIELDS,
  QUESTION_DESCRIPTIONS,
  RESPONSE_DESCRIPTIONS,
  RESPONSE_FIELDS,
  recategorizeResponses,
  receiveDeletions,
  receiveQuestions,
  receiveResponses,
} from "@partner-connect/survey-data";
import type { FastifyInstance } from "fastify";
import Type, { type Static, type TSchema } from "typebox";
import { invalidRequest, malformedBody, refusal } from "./api-error.ts";
import { addOperations, ID_WORDS, isId, mustBeId, ok } from "./openapi.ts";

/** Maximum bytes of a call. */
const MOST_BYTES = 16 * 1024 * 1024;
/**
 * Maximum bytes of a new `response`. A longer one would not fit the row, which also has a record of
 * 64 KiB and a copy in `original_response`.
 */
const MOST_OF_A_RESPONSE = 8 * 1024;

/** Content types: a record on each line, or an array. */
const LINES = ["application/x-ndjson", "application/ndjson"];
const ARRAY = "application/json";
const NDJSON = Type.String({ description: "A record on each line." });

/** The JSON types of each kind. All fields except required ones may also be null. */
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

/** The description for partners is a different one. */
const INSERTED_AT = "When it came about: when the customer answered. Default: now.";
const VERSION =
  "A whole number that grows with each change in your product: a late call of a lower one changes nothing.";
const described = (fields: DescribedFields, id: string): DescribedFields => ({
  ...fields,
  id: [id, fields["id"]?.[1]],
  inserted_at: [INSERTED_AT, fields["inserted_at"]?.[1]],
  version: [VERSION, 7],
});
const OF_RESPONSES = described(RESPONSE_DESCRIPTIONS, `Your id of the response: ${ID_WORDS}.`);
const OF_QUESTIONS = described(
  QUESTION_DESCRIPTIONS,
  "Your id of the question, unique in its shop: `question_id` of responses.",
);

const RECORDS = {
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
const StoredResponse = recordOf(RESPONSE_FIELDS, RESPONSE_DESCRIPTIONS, {
  $id: "StoredResponse",
  description: "A response as partners read it.",
});

const count = (description: string, shown: number) =>
  Type.Integer({ description, examples: [shown] });
const Stored = Type.Object(
  {
    created: count("Records that were new.", 998),
    updated: count("Records that changed.", 1),
    unchanged: count(
      "Records that were there, came again in the call, or have a lower `version` than the stored one.",
      1,
    ),
  },
  { $id: "Stored", description: "What the call did; the three add up to its records." },
);

const Deleted = Type.Object(
  {
    deleted: count("Responses that were there.", 1),
    unchanged: count("Responses that were not there, or have a higher `version`.", 0),
  },
  { $id: "Deleted", description: "What the call did; the two add up to its records." },
);

/** Batch endpoints: each takes many records. */
const CALLS_OF_MANY = [
  {
    what: "responses" as const,
    operationId: "storeResponses",
    summary: "Stores responses of a shop.",
    description:
      "A record replaces the one with its id, unless that has a higher `version`, or was deleted with this `version` or a higher one. Without `version` it always replaces. Without `question` it gets that of the stored question `question_id`. `updated_at` is the time of the call. At most 64 KB a record.",
    answer: ok(Stored, "All records are stored.", {
      stored: example("A thousand records", { created: 998, updated: 1, unchanged: 1 }),
    }),
    run: async (...call: Parameters<typeof receiveResponses>) =>
      storedCounts(await receiveResponses(...call)),
  },
  {
    what: "questions" as const,
    operationId: "storeQuestions",
    summary: "Stores questions of a shop.",
    description:
      "A record replaces the one with its id. At most 1 MB a record, 4 KB a `prompt`, 1 KB a `value`.",
    answer: ok(Stored, "All records are stored.", {
      stored: example("A new question", { created: 1, updated: 0, unchanged: 0 }),
    }),
    run: async (...call: Parameters<typeof receiveQuestions>) =>
      storedCounts(await receiveQuestions(...call)),
  },
  {
    what: "deletions" as const,
    operationId: "deleteResponses",
    summary: "Deletes responses of a shop.",
    description:
      "A response with a higher `version` stays. The deleted version is remembered: a late record of it, or of a lower one, is not stored.",
    answer: ok(Deleted, "All are deleted.", {
      deleted: example("A response", { deleted: 1, unchanged: 0 }),
    }),
    async run(...call: Parameters<typeof receiveDeletions>) {
      const { records, deleted } = await receiveDeletions(...call);
      return { deleted, unchanged: records - deleted };
    },
  },
];

const storedCounts = ({ records, inserted, updated }: ImportResult) => ({
  ...{ created: inserted, updated, unchanged: records - inserted - updated },
});

const version = Type.Integer({
  ...{ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [7] },
  description: "A response with a higher version stays; this one is remembered.",
});
const Deletion = Type.Object({
  version: Type.Optional(field(version, "a whole number from 0 to 2^53 − 1")),
});

const NewCategory = Type.Object({
  response: field(
    Type.String({ minLength: 1, description: "The response's category.", examples: ["Podcast"] }),
    "a text that is not empty",
  ),
});

/**
 * POST of questions and responses; PATCH and DELETE of a response. `permits` limits large calls.
 */
export function surveyRoutes(app: FastifyInstance, sql: Sql, permits: Semaphore): void {
  app.register(async (survey) => {
    survey.addHook("preHandler", async ({ params }) => {
      await findProductShop(sql, (params as { id: string }).id); // refuses a partner's test shop
    });

    survey.register(async (streams) => {
      streams.removeAllContentTypeParsers();
      streams.addContentTypeParser([...LINES, ARRAY], (_request, body, done) => done(null, body));
      for (const { what, operationId, summary, description, answer, run } of CALLS_OF_MANY) {
        const schema = {
          ...{ tags: ["Survey"], operationId, summary },
          description: `All or none, in one transaction. ${description} At most 10,000 records and 16 MB.`,
          body: {
            content: {
              ...Object.fromEntries(LINES.map((type) => [type, { schema: NDJSON }])),
              [ARRAY]: { schema: Type.Array(RECORDS[what]) },
            },
          },
          response: { 200: answer },
        };
        // Records are validated when they are read.
        const config = { refusals: [404, 409] as const };
        const options = {
          schema,
          config,
          bodyLimit: MOST_BYTES,
          validatorCompiler: () => () => true,
        };
        streams.post<{ Params: { id: string } }>(
          `/internal/shops/:id/${what}`,
          options,
          async ({ params, body, headers, actor }) => {
            const isArray = /^application\/json\b/i.test(headers["content-type"] ?? "");
            if (!(await permits.take())) throw unavailable("too_many_calls");
            try {
              const lines = chunksOf(body as Readable | undefined);
              return await run(sql, { shopId: params.id, lines, isArray, requireId }, actor);
            } finally {
              permits.release();
            }
          },
        );
      }
    });

    addOperations(survey, "Survey", [
      {
        method: "PATCH",
        url: "/internal/shops/:id/responses/:response_id",
        refusals: [404, 409],
        operationId: "recategorizeResponse",
        summary: "Gives a response another `response`.",
        description:
          "`original_response` keeps the first one, and `updated_at` is the present time. The body has at most 8 KB.",
        body: NewCategory,
        bodyLimit: MOST_OF_A_RESPONSE,
        record: StoredResponse,
        async run(
          { id: shopId, response_id: id },
          actor,
          { response }: Static<typeof NewCategory>,
        ) {
          await recategorizeResponses(sql, { shopId, ids: [id], response }, actor);
          const [stored] = await sql<{ doc: string }[]>`
            SELECT doc FROM survey.responses WHERE shop_id = ${shopId} AND id = ${id}`;
          if (!stored) throw unknownResponse(id);
          return { record: JSON.parse(stored.doc), isNew: false };
        },
      },
      {
        method: "DELETE",
        url: "/internal/shops/:id/responses/:response_id",
        refusals: [409],
        operationId: "deleteResponse",
        summary: "Deletes a response.",
        description:
          "Partners find it in the list of deleted responses. Nothing happens if there is none.",
        querystring: Deletion,
        async run({ id: shopId, response_id: id }, actor, _, { version }: Static<typeof Deletion>) {
          await deleteResponses(sql, { shopId, ids: [id], version }, actor);
        },
      },
      {
        method: "DELETE",
        url: "/internal/shops/:id/questions/:question_id",
        refusals: [409],
        operationId: "deleteQuestion",
        summary: "Deletes a question.",
        description: "Responses to it stay as they are. Nothing happens if there is none.",
        async run({ id: shopId, question_id: id }, actor) {
          if (!/^-?\d{1,16}$/.test(id))
            throw invalidRequest("question_id must be an integer.", "question_id");
          await deleteQuestion(sql, shopId, Number(id), actor);
        },
      },
    ]);
  });
}

/** @throws {FieldError} if the id could not be in a path */
function requireId(id: unknown): void {
  if (!isId(String(id))) throw new FieldError("id", mustBeId);
}

const unknownResponse = (id: string) =>
  refusal(404, "not_found", `there is no response ${JSON.stringify(id)}`);

/**
 * The chunks of `body`, which is undefined if there was no content type.
 * @throws {ApiError} 400 if the caller goes away; errors with the `statusCode` 413 or 415
 */
async function* chunksOf(body: Readable | undefined): AsyncGenerator<Uint8Array> {
  if (!body) throw Object.assign(new Error("no content type"), { statusCode: 415 });
  let bytes = 0;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES)
        throw Object.assign(new Error("a body over 16 MB"), { statusCode: 413 });
      yield chunk;
    }
  } catch (error) {
    throw body.errored ? malformedBody("The body has no end.") : error;
  }
}
