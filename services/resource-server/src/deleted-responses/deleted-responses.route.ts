import type { FastifyInstance } from "fastify";
import { readQuery } from "../http/query-string.ts";
import { sendPage } from "../pagination/send-page.ts";
import { PositionMemory } from "../position-memory/position-memory.ts";
import type { RouteOptions } from "../route-options.ts";
import { readDeletionParameters } from "./deletion-parameters.ts";
import { listDeletions } from "./list-deletions.ts";

/** Design, GET /api/deleted-responses: what a partner who keeps a copy has to delete, oldest deletion first. */
export function deletedResponsesRoute(app: FastifyInstance, options: RouteOptions): void {
  const endpoint = `${options.publicApiUrl}/api/deleted-responses`;
  const page = { answers: options.answers, usage: options.usage, endpoint };
  const reader = { ...options, positions: new PositionMemory(options.redis, options.now) };
  const route = { config: { scope: "responses:read" } } as const;
  app.get("/api/deleted-responses", route, async (request, reply) => {
    const { caller } = request;
    const parameters = readDeletionParameters(readQuery(request.url));
    return await sendPage(request, reply, page, parameters, (memory) =>
      listDeletions(reader, caller, parameters, memory),
    );
  });
}
