import { nameIgnored } from "@partner-connect/public-api";
import type { FastifyInstance } from "fastify";
import { unavailable } from "../errors/api-error.ts";
import { readQuery } from "../http/query-string.ts";
import type { RouteOptions } from "../route-options.ts";
import { readListParameters, SORTS } from "./list-parameters.ts";
import { listResponsesSql } from "./list-responses.query.ts";
import { listResponsesSchema } from "./responses.schema.ts";
import { keepEdges, shownPosition } from "./shown-positions.ts";

const KNOWN: ReadonlySet<string> = new Set(Object.keys(listResponsesSchema.querystring.properties));

/** Spec, GET /api/responses. The page's edges are kept before it is sent, as the caller may go on at another replica. */
export function responsesRoute(app: FastifyInstance, { pages, redis }: RouteOptions): void {
  app.get("/api/responses", { config: { scope: "responses:read" } }, async (request, reply) => {
    const { caller } = request;
    const sent = readQuery(request.url);
    const parameters = readListParameters(sent);
    nameIgnored(reply, sent.keys(), KNOWN);
    const { cursor, sort } = parameters;
    const isRemembered = SORTS[sort].column === "updated_at";
    const isByIdAlone = isRemembered && cursor !== null && cursor.time === undefined;
    const known = cursor?.time === undefined ? null : { at: cursor.time, id: cursor.id };
    const position = isByIdAlone ? await shownPosition(redis, caller, sort, cursor.id) : known;
    const page = await pages.read(listResponsesSql(caller, parameters, position), parameters);
    if (isRemembered && page.edges && !(await keepEdges(redis, caller, sort, page.edges)) && isByIdAlone) {
      throw unavailable("positions_unavailable"); // the next id alone would lead from a wrong position
    }
    return await pages.send(request, reply, page);
  });
}
