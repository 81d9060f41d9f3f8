import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { positionOf } from "../pagination/time-parameters.ts";
import { PATH, schema } from "./deleted-responses.schema.ts";
import { readDeletionParameters } from "./deletion-parameters.ts";
import { deletionPositionSql, listDeletionsSql } from "./list-deletions.query.ts";

/** GET /api/deleted-responses: the responses that a partner must delete from its copy. */
export function deletedResponsesRoute(app: FastifyInstance): void {
  const { pages } = app;
  app
    .withTypeProvider<TypeBoxTypeProvider>()
    .get(PATH, { config: { scope: "responses:read" }, schema }, async (request, reply) => {
      const { caller } = request;
      const parameters = readDeletionParameters(request.query);
      const { cursor } = parameters;
      const position =
        positionOf(cursor) ??
        (cursor && (await pages.position(deletionPositionSql(caller, cursor), cursor)));
      const statement = listDeletionsSql(caller, parameters, position);
      const page = await pages.read(statement, parameters);
      return await pages.send(request, reply, page);
    });
}
