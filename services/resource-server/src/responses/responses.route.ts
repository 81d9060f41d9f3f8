import type { FastifyInstance } from "fastify";
import { readQuery } from "../http/query-string.ts";
import { pageBody } from "../pages/page-body.ts";
import { pageLinks } from "../pages/page-links.ts";
import type { RouteOptions } from "../route-options.ts";
import { CursorPositions } from "./cursor-positions.ts";
import { readListParameters } from "./list-parameters.ts";
import { listResponses } from "./list-responses.ts";

/** Spec, GET /api/responses. */
export function responsesRoute(app: FastifyInstance, options: RouteOptions): void {
  const reader = { ...options, positions: new CursorPositions(options.redis) };
  const endpoint = `${options.publicApiUrl}/api/responses`;
  app.get("/api/responses", { config: { scope: "responses:read" } }, async (request, reply) => {
    const parameters = readListParameters(readQuery(request.url));
    const page = await listResponses(reader, request.caller, parameters);
    const links = pageLinks(endpoint, parameters.given, page.edges);
    return reply.type("application/json; charset=utf-8").send(pageBody(page.records, links));
  });
}
