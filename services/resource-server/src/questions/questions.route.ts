import { within } from "@partner-connect/database";
import type { FastifyInstance } from "fastify";
import { readQuery } from "../http/query-string.ts";
import { sendPage } from "../http/send-page.ts";
import { readPage } from "../pages/page.ts";
import { pageBody } from "../pages/page-body.ts";
import { pageLinks } from "../pages/page-links.ts";
import type { RouteOptions } from "../route-options.ts";
import { listQuestionsSql } from "./list-questions.query.ts";
import { readQuestionParameters } from "./question-parameters.ts";

/** Spec, GET /api/questions: a shop's questions by id, in the envelope of every list. */
export function questionsRoute(app: FastifyInstance, options: RouteOptions): void {
  const endpoint = `${options.publicApiUrl}/api/questions`;
  app.get("/api/questions", { config: { scope: "responses:read" } }, async (request, reply) => {
    const parameters = readQuestionParameters(readQuery(request.url));
    const { text, values } = listQuestionsSql(request.caller, parameters);
    const rows = await within(options.databaseTimeout, options.sql.unsafe(text, values, { prepare: true }).raw());
    const page = readPage(rows, request.caller, parameters);
    return await sendPage(request, reply, pageBody(page.records, pageLinks(endpoint, parameters.given, page.edges)));
  });
}
