import type { FastifyInstance } from "fastify";
import { readQuery } from "../http/query-string.ts";
import { notModified } from "../pagination/pages.ts";
import type { RouteOptions } from "../route-options.ts";
import { listQuestionsSql } from "./list-questions.query.ts";
import { readQuestionParameters } from "./question-parameters.ts";

/** Spec, GET /api/questions: a shop's questions by id, in the envelope of every list. */
export function questionsRoute(app: FastifyInstance, { pages }: RouteOptions): void {
  const route = { config: { scope: "responses:read" } } as const;
  app.get("/api/questions", route, async (request, reply) => {
    const parameters = readQuestionParameters(readQuery(request.url));
    const known = await pages.knownTag(request);
    if (known !== null) return notModified(reply, known);
    using page = await pages.read(request, listQuestionsSql(request.caller, parameters), parameters);
    return await pages.send(request, reply, page);
  });
}
