import { nameIgnored } from "@partner-connect/public-api";
import type { FastifyInstance } from "fastify";
import { readQuery } from "../http/query-string.ts";
import type { RouteOptions } from "../route-options.ts";
import { listDeletionsSchema } from "./deleted-responses.schema.ts";
import { readDeletionParameters } from "./deletion-parameters.ts";
import { listDeletionsSql } from "./list-deletions.query.ts";

const KNOWN: ReadonlySet<string> = new Set(Object.keys(listDeletionsSchema.querystring.properties));

/** GET /api/deleted-responses: what a partner that keeps a copy has to delete. */
export function deletedResponsesRoute(app: FastifyInstance, { pages }: RouteOptions): void {
  const route = { config: { scope: "responses:read" } } as const;
  app.get("/api/deleted-responses", route, async (request, reply) => {
    const sent = readQuery(request.url);
    const parameters = readDeletionParameters(sent);
    nameIgnored(reply, sent.keys(), KNOWN);
    const page = await pages.read(listDeletionsSql(request.caller, parameters), parameters);
    return await pages.send(request, reply, page);
  });
}
