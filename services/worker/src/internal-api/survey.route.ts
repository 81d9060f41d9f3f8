import type { Readable } from "node:stream";
import { example, field } from "@partner-connect/contract/openapi";
import type { Sql } from "@partner-connect/database";
import { Semaphore, unavailable } from "@partner-connect/service-runtime";
import {
  deleteResponses,
  type Field,
  FieldError,
  importQuestions,
  importResponses,
  QUESTION_FIELDS,
  RESPONSE_FIELDS,
  recategorizeResponses,
} from "@partner-connect/survey-data";
import type { FastifyInstance } from "fastify";
import Type, { type Static, type TSchema } from "typebox";
import { malformedBody, refusal } from "./api-error.ts";
import { addOperations, isId, mustBeId, ok } from "./openapi.ts";

/** Bytes of a call. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Concurrent calls, each taking about 30 MB; milliseconds that further calls wait before 503. */
const [CALLS, WAIT] = [4, 5000];
/** Bytes of a new `response`. A longer one would not fit the row beside a record of 64 KiB and its copy in `original_response`. */
const MOST_OF_A_RESPONSE = 8 * 1024;

/** JSON's types of each kind; all but required fields may be null. */
const TYPES: Readonly<Record<Field["kind"], readonly string[]>> = {
  ...{ text: ["string"], decimal: ["string"], timestamp: ["string"], reference: ["string", "integer"] },
  ...{ integer: ["integer"], boolean: ["boolean"], boolean_or_text: ["boolean", "string"], list: ["array"] },
};

function recordOf(fields: readonly Field[], more: object = {}): TSchema {
  const properties = fields.map(({ name, kind, required, oneOf, fields: items }) => {
    const none = required ? [] : ["null"];
    const values = oneOf && { enum: required ? oneOf : [...oneOf, null] };
    return [name, { type: [...TYPES[kind], ...none], ...values, ...(items && { items: recordOf(items) }) }];
  });
  const required = fields.filter((each) => each.required).map(({ name }) => name);
  return Type.Unsafe({ type: "object", properties: Object.fromEntries(properties), required, ...more });
}

/** Unlike the operator's import, which generates missing ids. */
const WITH_ID = RESPONSE_FIELDS.map((each) => (each.name === "id" ? { ...each, required: true as const } : each));

const RECORDS = {
  responses: recordOf(WITH_ID, {
    $id: "Response",
    description: "It has a question or the question's id, and a response or another response.",
  }),
  questions: recordOf(QUESTION_FIELDS, { $id: "Question", description: "A question and its options." }),
};

const count = (description: string, shown: number) => Type.Integer({ description, examples: [shown] });
const Stored = Type.Object(
  {
    created: count("Records that were new.", 998),
    updated: count("Records that changed.", 1),
    unchanged: count("Records that were there, or came again later in the call or with a newer `updated_at`.", 1),
  },
  { $id: "Stored", description: "What the call did; the three add up to its records." },
);

const STORED = [
  { table: "responses", operationId: "storeResponses", most: "64 KB", importRecords: importResponses },
  { table: "questions", operationId: "storeQuestions", most: "1 MB", importRecords: importQuestions },
] as const;

const NewCategory = Type.Object({
  response: field(
    Type.String({ minLength: 1, description: "The response's category.", examples: ["Podcast"] }),
    "a text that is not empty",
  ),
});

/** POST of questions and responses; PATCH and DELETE of a response. */
export function surveyRoutes(app: FastifyInstance, sql: Sql): void {
  const permits = new Semaphore(CALLS, WAIT);

  app.register(async (streams) => {
    streams.removeAllContentTypeParsers();
    const types = ["application/x-ndjson", "application/json"];
    streams.addContentTypeParser(types, (_request, body, done) => done(null, body));
    for (const { table, operationId, most, importRecords } of STORED) {
      const schema = {
        ...{ tags: ["Survey"], operationId, summary: `Stores ${table} of a shop.` },
        description: `All or none, in one transaction. A record replaces the one with its id, unless that has a later \`updated_at\`; so a call can be repeated. Without \`updated_at\`, new and changed records get the present time. At most 16 MB, and ${most} a record.`,
        body: {
          content: {
            "application/x-ndjson": { schema: Type.String({ description: "A record on each line." }) },
            "application/json": { schema: Type.Array(RECORDS[table]) },
          },
        },
        response: {
          200: ok(Stored, "All records are stored.", {
            stored: example("A thousand records", { created: 998, updated: 1, unchanged: 1 }),
          }),
        },
      };
      // Records are validated when they are read.
      const options = { schema, validatorCompiler: () => () => true };
      streams.post<{ Params: { id: string } }>(
        `/internal/shops/:id/${table}`,
        options,
        async ({ params, body, headers, actor }) => {
          const isArray = /^application\/json\b/i.test(headers["content-type"] ?? "");
          if (!(await permits.take())) throw unavailable("too_many_calls");
          try {
            const lines = chunksOf(body as Readable | undefined);
            const call = { shopId: params.id, lines, isArray, isWhole: true, requireId };
            const { records, inserted, updated } = await importRecords(sql, call, actor);
            return { created: inserted, updated, unchanged: records - inserted - updated };
          } finally {
            permits.release();
          }
        },
      );
    }
  });

  addOperations(app, "Survey", [
    {
      method: "PATCH",
      url: "/internal/shops/:id/responses/:response_id",
      operationId: "recategorizeResponse",
      summary: "Gives a response another `response`.",
      description:
        "`original_response` keeps the first one, and `updated_at` is the present time. The body has at most 8 KB.",
      body: NewCategory,
      bodyLimit: MOST_OF_A_RESPONSE,
      record: RECORDS.responses,
      async run({ id: shopId, response_id: id }, actor, { response }: Static<typeof NewCategory>) {
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
      operationId: "deleteResponse",
      summary: "Deletes a response.",
      description: "Partners find it in the list of deleted responses.",
      async run({ id: shopId, response_id: id }, actor) {
        if ((await deleteResponses(sql, { shopId, ids: [id] }, actor)) === 0) throw unknownResponse(id);
      },
    },
  ]);
}

/** @throws {FieldError} for an id that no path can have, or none: a repeated call would store the record again */
function requireId(id: unknown): void {
  if (id === null || !isId(String(id))) throw new FieldError("id", mustBeId);
}

const unknownResponse = (id: string) => refusal(404, "not_found", `there is no response ${JSON.stringify(id)}`);

/** The body's chunks, undefined without a content type. @throws {ApiError} 400 if the caller goes away; an error that is a 413 or 415 */
async function* chunksOf(body: Readable | undefined): AsyncGenerator<Uint8Array> {
  if (!body) throw Object.assign(new Error("no content type"), { statusCode: 415 });
  let bytes = 0;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw Object.assign(new Error("a body over 16 MB"), { statusCode: 413 });
      yield chunk;
    }
  } catch (error) {
    throw body.errored ? malformedBody("The body has no end.") : error;
  } finally {
    body.resume(); // the caller sends the rest of a refused body before it reads the answer
  }
}
