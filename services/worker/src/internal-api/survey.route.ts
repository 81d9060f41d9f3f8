import type { Readable } from "node:stream";
import { answer, COUNTED, example, field, IGNORED_PARAMETERS, jsonAnswer } from "@partner-connect/contract/openapi";
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
import { malformedBody, notFound } from "./api-error.ts";
import { BODY_ANSWERS, ERROR_ANSWERS, idParameter, isId, mustBeId, notFoundAnswer } from "./openapi.ts";

/** Bytes of a call. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Calls that are read and stored at a time, each in about 30 MB; milliseconds for which others wait before 503. */
const [CALLS, WAIT] = [4, 5000];
/** Bytes of a new `response`: beside one of 64 KiB and its copy in `original_response` more would not fit the row (survey.responses). */
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

/** The operator's import makes ids that are missing. */
const WITH_ID = RESPONSE_FIELDS.map((each) => (each.name === "id" ? { ...each, required: true as const } : each));

const RECORDS = {
  responses: recordOf(WITH_ID, {
    $id: "Response",
    description: "It has a question or the question's id, and a response or another response.",
  }),
  questions: recordOf(QUESTION_FIELDS, { $id: "Question", description: "A question and its options." }),
};

const shopId = idParameter("The shop", "42");
const ofShop = Type.Object({ id: shopId });
const ofResponse = Type.Object({ id: shopId, response_id: idParameter("The response", "r-1001") });
const count = (description: string, shown: number) => Type.Integer({ description, examples: [shown] });

const Stored = Type.Object(
  {
    created: count("Records that were new.", 998),
    updated: count("Records that changed.", 1),
    unchanged: count("Records that were there, or came again later in the call or with a newer `updated_at`.", 1),
  },
  { $id: "Stored", description: "What the call did; the three add up to its records." },
);

const storeSchema = (table: keyof typeof RECORDS, most: string) => ({
  operationId: table === "responses" ? "storeResponses" : "storeQuestions",
  tags: ["Survey"],
  summary: `Stores ${table} of a shop.`,
  description: `All or none, in one transaction. A record replaces the one with its id, unless that has a later \`updated_at\`; so a call can be repeated. Without \`updated_at\`, new and changed records get the present time. At most 16 MB, and ${most} a record.`,
  params: ofShop,
  body: {
    content: {
      "application/x-ndjson": { schema: Type.String({ description: "A record on each line." }) },
      "application/json": { schema: Type.Array(RECORDS[table]) },
    },
  },
  response: {
    200: jsonAnswer(Stored, "All records are stored.", COUNTED, {
      stored: example("A thousand records", { created: 998, updated: 1, unchanged: 1 }),
    }),
    ...ERROR_ANSWERS,
    404: notFoundAnswer,
    ...BODY_ANSWERS,
  },
});

const STORED = {
  responses: { importRecords: importResponses, schema: storeSchema("responses", "64 KB") },
  questions: { importRecords: importQuestions, schema: storeSchema("questions", "1 MB") },
};

const NewCategory = Type.Object({
  response: field(
    Type.String({ minLength: 1, description: "The response's category.", examples: ["Podcast"] }),
    "a text that is not empty",
  ),
});

const changeSchema = {
  operationId: "recategorizeResponse",
  tags: ["Survey"],
  summary: "Gives a response another `response`.",
  description:
    "`original_response` keeps the first one, and `updated_at` is the present time. The body has at most 8 KB.",
  params: ofResponse,
  body: NewCategory,
  response: {
    200: jsonAnswer(RECORDS.responses, "The response as partners read it.", [...COUNTED, IGNORED_PARAMETERS], {}),
    ...ERROR_ANSWERS,
    404: notFoundAnswer,
    ...BODY_ANSWERS,
  },
};

const deleteSchema = {
  operationId: "deleteResponse",
  tags: ["Survey"],
  summary: "Deletes a response.",
  description: "Partners find it in the list of deleted responses.",
  params: ofResponse,
  response: { 204: answer("It is deleted.", COUNTED), ...ERROR_ANSWERS, 404: notFoundAnswer },
};

/** POST of questions and responses; PATCH and DELETE of a response. */
export function surveyRoutes(app: FastifyInstance, sql: Sql): void {
  const permits = new Semaphore(CALLS, WAIT);

  app.register(async (streams) => {
    streams.removeAllContentTypeParsers();
    const types = ["application/x-ndjson", "application/json"];
    streams.addContentTypeParser(types, (_request, body, done) => done(null, body));
    for (const [table, { importRecords, schema }] of Object.entries(STORED)) {
      // Records are validated when they are read.
      const options = { schema, validatorCompiler: () => () => true };
      streams.post(`/internal/shops/:id/${table}`, options, async (request) => {
        const { id: shopId } = request.params as Static<typeof ofShop>;
        const isArray = /^application\/json\b/i.test(request.headers["content-type"] ?? "");
        if (!(await permits.take())) throw unavailable("too_many_calls");
        try {
          const body = { lines: chunksOf(request.body as Readable | undefined), isArray, isWhole: true, requireId };
          const { records, inserted, updated } = await importRecords(sql, { shopId, ...body }, request.actor);
          return { created: inserted, updated, unchanged: records - inserted - updated };
        } finally {
          permits.release();
        }
      });
    }
  });
  app.patch(
    "/internal/shops/:id/responses/:response_id",
    { schema: changeSchema, bodyLimit: MOST_OF_A_RESPONSE },
    async (request, reply) => {
      const { id: shopId, response_id: id } = request.params as Static<typeof ofResponse>;
      const { response } = request.body as Static<typeof NewCategory>;
      await recategorizeResponses(sql, { shopId, ids: [id], response }, request.actor);
      const [stored] = await sql<{ doc: string }[]>`
        SELECT doc FROM survey.responses WHERE shop_id = ${shopId} AND id = ${id}`;
      if (!stored) throw unknownResponse(id);
      return reply.type("application/json; charset=utf-8").send(stored.doc);
    },
  );

  app.delete("/internal/shops/:id/responses/:response_id", { schema: deleteSchema }, async (request, reply) => {
    const { id: shopId, response_id: id } = request.params as Static<typeof ofResponse>;
    if ((await deleteResponses(sql, { shopId, ids: [id] }, request.actor)) === 0) throw unknownResponse(id);
    return reply.code(204).send();
  });
}

/** @throws {FieldError} for an id that no path can have, or none: a repeated call would store the record again */
function requireId(id: unknown): void {
  if (id === null || !isId(String(id))) throw new FieldError("id", mustBeId);
}

const unknownResponse = (id: string) => notFound(`there is no response ${JSON.stringify(id)}`);

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
