import { nameIgnored } from "@partner-connect/public-api";
import type { FastifyInstance } from "fastify";
import type { Caller } from "../authentication/caller.ts";
import { readQuery } from "../http/query-string.ts";
import { type MovingList, walksOf } from "../position-memory/position-memory.ts";
import type { RouteOptions } from "../route-options.ts";
import { listDeletionsSchema } from "./deleted-responses.schema.ts";
import { type DeletionParameters, readDeletionParameters } from "./deletion-parameters.ts";
import { listDeletionsSql } from "./list-deletions.query.ts";

const KNOWN: ReadonlySet<string> = new Set(Object.keys(listDeletionsSchema.querystring.properties));

/** Design, GET /api/deleted-responses: what a partner who keeps a copy has to delete. The steps are those of responses.route.ts. */
export function deletedResponsesRoute(app: FastifyInstance, { pages, positions }: RouteOptions): void {
  const route = { config: { scope: "responses:read" } } as const;
  app.get("/api/deleted-responses", route, async (request, reply) => {
    const { caller } = request;
    const sent = readQuery(request.url);
    const parameters = readDeletionParameters(sent);
    nameIgnored(reply, sent.keys(), KNOWN);
    const list = movingList(caller, parameters);
    const start = await positions.startOf(list);
    using page = await pages.read(request, listDeletionsSql(caller, parameters, start.position), parameters);
    await positions.remember(list, start, page.edges);
    return await pages.send(request, reply, page);
  });
}

/** A record moves in the list when it is imported again and deleted once more. */
function movingList(caller: Caller, { cursor, range }: DeletionParameters): MovingList {
  return { cursor, isAscending: cursor?.direction !== "backward", walks: walksOf(caller, "deleted_at_asc", range) };
}
