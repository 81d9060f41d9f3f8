import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { PATH, schema } from "./deleted-responses.schema.ts";
import { readDeletionParameters } from "./deletion-parameters.ts";
import { listDeletionsSql } from "./list-deletions.query.ts";

/** GET /api/deleted-responses: the responses that a partner must delete from its copy. */
export function deletedResponsesRoute(app: FastifyInstance): void {
  const { pages } = app;
  app
    .withTypeProvider<TypeBoxTypeProvider>()
    .get(PATH, { config: { scope: "responses:read" }, schema }, async (request, reply) => {
      const parameters = readDeletionParameters(request.query);
      const page = await pages.read(listDeletionsSql(request.caller, parameters), parameters);
      return await pages.send(request, reply, page);
    });
}
