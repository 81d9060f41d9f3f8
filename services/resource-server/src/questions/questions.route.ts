import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { PAGE_LIMIT } from "@partner-connect/contract/openapi";
import type { FastifyInstance } from "fastify";
import { givenOf, MOST_PAGE_BYTES, readCursor } from "../pagination/page-parameters.ts";
import { listQuestionsSql } from "./list-questions.query.ts";
import { PATH, schema } from "./questions.schema.ts";

export function questionsRoute(app: FastifyInstance): void {
  const { pages } = app;
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
