import type { FastifyInstance } from "fastify";
import { readQuery } from "../http/query-string.ts";
import { readPage } from "../pagination/page-reader.ts";
import { sendPage } from "../pagination/send-page.ts";
import type { RouteOptions } from "../route-options.ts";
import { listQuestionsSql } from "./list-questions.query.ts";
import { readQuestionParameters } from "./question-parameters.ts";

/** Spec, GET /api/questions: a shop's questions by id, in the envelope of every list. */
export function questionsRoute(app: FastifyInstance, options: RouteOptions): void {
  const page = { answers: options.answers, usage: options.usage, endpoint: `${options.publicApiUrl}/api/questions` };
  const route = { config: { scope: "responses:read" } } as const;
  app.get("/api/questions", route, async (request, reply) => {
    const { caller } = request;
    const parameters = readQuestionParameters(readQuery(request.url));
    return await sendPage(request, reply, page, parameters, (memory) =>
      readPage(options, listQuestionsSql(caller, parameters), parameters, memory),
    );
  });
}
