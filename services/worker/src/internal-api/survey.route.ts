import type { Readable } from "node:stream";
import { example } from "@partner-connect/contract/openapi";
import type { Sql } from "@partner-connect/database";
import { findProductShop } from "@partner-connect/directory";
import { type Semaphore, unavailable } from "@partner-connect/service-runtime";
import {
  deleteQuestion,
  deleteResponses,
  FieldError,
  type ImportResult,
  recategorizeResponses,
  receiveDeletions,
  receiveQuestions,
  receiveResponses,
} from "@partner-connect/survey-data";
import type { FastifyInstance } from "fastify";
import Type, { type Static } from "typebox";
import { invalidRequest, malformedBody, refusal } from "./api-error.ts";
import { addOperations, isId, mustBeId, ok, setOlder, withOlder } from "./openapi.ts";
import {
  Deleted,
  Deletion,
  NDJSON,
  NewCategory,
  RECORDS,
  Stored,
  StoredResponse,
} from "./survey.schema.ts";

/** Maximum bytes of a call. */
const MOST_BYTES = 16 * 1024 * 1024;
/**
 * Maximum bytes of a new `response`. A longer one would not fit the row, which also has a record of
 * 64 KiB and a copy of `other_response`.
 */
const MOST_OF_A_RESPONSE = 8 * 1024;

/** Content types: a record on each line, or an array. */
const LINES = ["application/x-ndjson", "application/ndjson"];
const ARRAY = "application/json";

/** Batch endpoints: each takes many records. */
const CALLS_OF_MANY = [
  {
    what: "responses" as const,
    operationId: "storeResponses",
    summary: "Stores responses of a shop.",
    description:
      "A record replaces the stored one with the same id, unless that one has a higher `version`, or was deleted with this `version` or a higher one. A record without `version` always replaces it. A record without `question` gets the text of the stored question `question_id`. `updated_at` is the time of the call. At most 64 KB a record.",
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
      "A record replaces the stored one with the same id. At most 1 MB a record, 4 KB a `prompt`, 1 KB a `value`.",
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
      "A response with a higher `version` isn't deleted. The version of a deletion is stored: a later record with this version or a lower one is not stored.",
    answer: ok(Deleted, "All are deleted.", {
      deleted: example("A response", { deleted: 1, unchanged: 0 }),
    }),
    async run(...call: Parameters<typeof receiveDeletions>) {
      const { records, deleted, older } = await receiveDeletions(...call);
      return { counts: { deleted, unchanged: records - deleted }, older };
    },
  },
];

const storedCounts = ({ records, inserted, updated, older }: ImportResult) => ({
  counts: { created: inserted, updated, unchanged: records - inserted - updated },
  older,
});

/** Adds the routes of questions, responses and deletions. `permits` limits large calls. */
export function surveyRoutes(app: FastifyInstance, sql: Sql, permits: Semaphore): void {
  app.register(async (survey) => {
    survey.addHook("preHandler", async ({ params }) => {
      await findProductShop(sql, (params as { id: string }).id); // throws for a partner's test shop
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
          response: { 200: what === "questions" ? answer : withOlder(answer) },
        };
        // No validation here, because each record is validated when the stream is read.
        const config = { errorStatuses: [404, 409] as const };
        const options = {
          schema,
          config,
          bodyLimit: MOST_BYTES,
          validatorCompiler: () => () => true,
        };
        streams.post<{ Params: { id: string } }>(
          `/internal/shops/:id/${what}`,
          options,
          async ({ params, body, headers, actor }, reply) => {
            const isArray = /^application\/json\b/i.test(headers["content-type"] ?? "");
            if (!(await permits.take())) throw unavailable("too_many_calls");
            try {
              const lines = chunksOf(body as Readable | undefined);
              const call = { shopId: params.id, lines, isArray, requireId };
              const { counts, older } = await run(sql, call, actor);
              setOlder(reply, older);
              return counts;
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
        errorStatuses: [404, 409],
        operationId: "recategorizeResponse",
        summary: "Recategorizes a response: changes its `response`.",
        description:
          "`original_response` keeps the first value, and `updated_at` becomes the time of the call. The body has at most 8 KB.",
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
        errorStatuses: [409],
        operationId: "deleteResponse",
        summary: "Deletes a response.",
        description:
          "Partners find it in the list of deleted responses. Nothing happens if there is no such response.",
        querystring: Deletion,
        async run(ids, actor, _, { version }: Static<typeof Deletion>, reply) {
          const chosen = { shopId: ids.id, ids: [ids.response_id], version };
          setOlder(reply, (await deleteResponses(sql, chosen, actor)).older);
        },
      },
      {
        method: "DELETE",
        url: "/internal/shops/:id/questions/:question_id",
        errorStatuses: [409],
        operationId: "deleteQuestion",
        summary: "Deletes a question.",
        description:
          "Its responses stay as they are. Nothing happens if there is no such question.",
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
