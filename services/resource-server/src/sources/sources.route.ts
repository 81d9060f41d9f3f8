import type { FastifyInstance } from "fastify";
import type { Static } from "typebox";
import { WRITE_CONNECTIONS } from "../databases.ts";
import { Permits, REQUEST_PERMITS } from "../http/permits.ts";
import { createSource } from "./create-source.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import { type NewSource, newSource, withTrimmedTexts } from "./new-source.ts";
import { schema } from "./sources.schema.ts";

export function sourcesRoute(app: FastifyInstance): void {
  const { databases } = app;
  // If a row is locked, only its own shop's writes wait, and on one connection.
  const permits = new Permits({ ...REQUEST_PERMITS, ofShop: 1, inAll: WRITE_CONNECTIONS });
  app.post(
    "/api/sources",
    {
      config: { scope: "sources:write" },
      schema,
      preValidation: (request, _reply, done) => {
        request.body = withTrimmedTexts(request.body);
        done();
      },
    },
    async (request, reply) => {
      const source = newSource(request.body as Static<typeof NewSource>);
      const once = readIdempotencyKey(request.raw.rawHeaders, source);
      const release = await permits.take(request.caller.shopId);
      try {
        const answer = await createSource(databases.writes, request.caller, source, once);
        return reply.code(answer.status).type("application/json; charset=utf-8").send(answer.body);
      } finally {
        release();
      }
    },
  );
}
