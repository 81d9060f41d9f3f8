import type { FastifyInstance } from "fastify";
import { readQuery } from "../http/query-string.ts";
import { readPage } from "../pagination/page-reader.ts";
import { sendPage } from "../pagination/send-page.ts";
import type { RouteOptions } from "../route-options.ts";
import { readDeletionParameters } from "./deletion-parameters.ts";
import { listDeletionsSql } from "./list-deletions.query.ts";

/** Design, GET /api/deleted-responses: what a partner who keeps a copy has to delete, oldest deletion first. */
export function deletedResponsesRoute(app: FastifyInstance, options: RouteOptions): void {
  const endpoint = `${options.publicApiUrl}/api/deleted-responses`;
  const page = { answers: options.answers, usage: options.usage, endpoint };
  const route = { config: { scope: "responses:read" } } as const;
  app.get("/api/deleted-responses", route, async (request, reply) => {
    const { caller } = request;
    const parameters = readDeletionParameters(readQuery(request.url));
    return await sendPage(request, reply, page, parameters, (allocate) =>
      readPage(options, listDeletionsSql(caller, parameters), caller, parameters, allocate),
    );
  });
}
