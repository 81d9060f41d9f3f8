import type { FastifyInstance } from "fastify";
import type { RouteOptions } from "../route-options.ts";
import { createSource, createSourceOnce } from "./create-source.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import { readSource } from "./source.ts";

/** Spec, POST /api/sources. */
export function sourcesRoute(app: FastifyInstance, { writes }: RouteOptions): void {
  app.post("/api/sources", { config: { scope: "sources:write" } }, async (request, reply) => {
    const source = readSource(request.body);
    const once = readIdempotencyKey(request.raw.rawHeaders, source);
    const answer = await writes.run(request.caller.shopId, (sql) =>
      once ? createSourceOnce(sql, request.caller, source, once) : createSource(sql, request.caller, source),
    );
    return reply.code(answer.status).type("application/json; charset=utf-8").send(answer.body);
  });
}
