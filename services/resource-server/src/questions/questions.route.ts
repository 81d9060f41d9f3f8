import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { example, PAGE_LIMIT, pageParameters } from "@partner-connect/contract/openapi";
import type { FastifyInstance } from "fastify";
import Type from "typebox";
import { ERROR_ANSWERS } from "../errors/error.schema.ts";
import { givenOf, MOST_PAGE_BYTES, readCursor } from "../pagination/limit-and-cursor.ts";
import { pageAnswer } from "../pagination/record.schema.ts";
import type { RouteOptions } from "../route-options.ts";
import { listQuestionsSql } from "./list-questions.query.ts";
import { EXAMPLE_QUESTION, Question } from "./question-fields.ts";

const PATH = "/api/questions";

const schema = {
  operationId: "listQuestions",
  tags: ["Questions"],
  summary: "Lists the shop's questions, ordered by id.",
  description: "A shop has few questions: usually one page has all of them.",
  querystring: Type.Object(pageParameters("1001")),
  response: {
    200: pageAnswer(Question, PATH, "1001", {
      all: example("A shop with one question", {
        data: [EXAMPLE_QUESTION],
        prev: null,
        next: null,
      }),
    }),
    ...ERROR_ANSWERS,
  },
};

export function questionsRoute(app: FastifyInstance, { pages }: RouteOptions): void {
  app
    .withTypeProvider<TypeBoxTypeProvider>()
    .get(PATH, { config: { scope: "responses:read" }, schema }, async (request, reply) => {
      const { query } = request;
      const parameters = {
        limit: query.limit ?? PAGE_LIMIT.fallback,
        cursor: readCursor(query, isPossibleId),
        given: givenOf(query, "limit"),
        mostBytes: MOST_PAGE_BYTES,
      };
      const page = await pages.read(listQuestionsSql(request.caller, parameters), parameters);
      return await pages.send(request, reply, page);
    });
}

const MIN_ID = -(2n ** 63n);
const MAX_ID = 2n ** 63n - 1n;

/** Only a bigint can be a question's id; Postgres can't compare it with other text. */
function isPossibleId(id: string): boolean {
  return /^(?:0|-?[1-9]\d{0,18})$/.test(id) && BigInt(id) >= MIN_ID && BigInt(id) <= MAX_ID;
}
