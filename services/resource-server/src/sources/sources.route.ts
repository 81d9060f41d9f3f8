import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { Permits, REQUESTS } from "../http/permits.ts";
import type { RouteOptions } from "../route-options.ts";
import { WRITE_CONNECTIONS } from "../stores/databases.ts";
import { createSource } from "./create-source.ts";
import { createSourceOnce } from "./create-source-once.ts";
import { readIdempotencyKey } from "./idempotent-request.ts";
import { NewSourceBody } from "./source.schema.ts";
import { newSource, withTrimmedTexts } from "./source.ts";

export function sourcesRoute(app: FastifyInstance, { databases }: RouteOptions): void {
  // A locked row holds up its own shop's writes, and one connection.
  const permits = new Permits({ ...REQUESTS, ofShop: 1, inAll: WRITE_CONNECTIONS });
  app.withTypeProvider<TypeBoxTypeProvider>().post(
    "/api/sources",
    {
      config: { scope: "sources:write" },
      schema: { body: NewSourceBody },
      preValidation: (request, _reply, done) => {
        request.body = withTrimmedTexts(request.body) as typeof request.body;
        done();
      },
    },
    async (request, reply) => {
      const source = newSource(request.body);
      const once = readIdempotencyKey(request.raw.rawHeaders, source);
      const release = await permits.take(request.caller.shopId);
      try {
        const answer = await (once
          ? createSourceOnce(databases.writes, request.caller, source, once)
          : createSource(databases.writes, request.caller, source));
        return reply.code(answer.status).type("application/json; charset=utf-8").send(answer.body);
      } finally {
        release();
      }
    },
  );
}
