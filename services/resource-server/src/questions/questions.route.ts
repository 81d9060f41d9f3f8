import { nameIgnored } from "@partner-connect/public-api";
import type { FastifyInstance } from "fastify";
import { type QueryParameters, readQuery } from "../http/query-string.ts";
import {
  MOST_PAGE_BYTES,
  type PageParameters,
  readCursor,
  readLimit,
  readSingle,
} from "../pagination/limit-and-cursor.ts";
import type { RouteOptions } from "../route-options.ts";
import { listQuestionsSql } from "./list-questions.query.ts";
import { listQuestionsSchema } from "./questions.schema.ts";

const KNOWN: ReadonlySet<string> = new Set(Object.keys(listQuestionsSchema.querystring.properties));

export function questionsRoute(app: FastifyInstance, { pages }: RouteOptions): void {
  const route = { config: { scope: "responses:read" } } as const;
  app.get("/api/questions", route, async (request, reply) => {
    const sent = readQuery(request.url);
    const parameters = readQuestionParameters(sent);
    nameIgnored(reply, sent.keys(), KNOWN);
    const page = await pages.read(listQuestionsSql(request.caller, parameters), parameters);
    return await pages.send(request, reply, page);
  });
}

const MIN_ID = -(2n ** 63n);
const MAX_ID = 2n ** 63n - 1n;

/** `limit` and a cursor; unknown ones are ignored. @throws {ApiError} 400 naming the parameter that breaks a rule */
function readQuestionParameters(parameters: QueryParameters): PageParameters {
  const given = readSingle(parameters, "limit");
  return {
    limit: readLimit(given),
    cursor: readCursor(parameters, isPossibleId),
    given: given === null ? [] : [["limit", given]],
    mostBytes: MOST_PAGE_BYTES,
  };
}

/** Whether a question could have this id: Postgres would refuse to compare with anything but a bigint. */
function isPossibleId(id: string): boolean {
  return /^(?:0|-?[1-9]\d{0,18})$/.test(id) && BigInt(id) >= MIN_ID && BigInt(id) <= MAX_ID;
}
