import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import type { RouteOptions } from "../route-options.ts";
import { createSource } from "./create-source.ts";
import { createSourceOnce } from "./create-source-once.ts";
import { readIdempotencyKey } from "./idempotent-request.ts";
import { NewSourceBody } from "./source.schema.ts";
import { newSource, withTrimmedTexts } from "./source.ts";

export function sourcesRoute(app: FastifyInstance, { writes }: RouteOptions): void {
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
      const answer = await writes.run(request.caller.shopId, (sql) =>
        once ? createSourceOnce(sql, request.caller, source, once) : createSource(sql, request.caller, source),
      );
      return reply.code(answer.status).type("application/json; charset=utf-8").send(answer.body);
    },
  );
}
