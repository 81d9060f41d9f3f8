import { nameIgnored } from "@partner-connect/public-api";
import type { FastifyInstance } from "fastify";
import { readQuery } from "../http/query-string.ts";
import { notModified } from "../pagination/pages.ts";
import type { RouteOptions } from "../route-options.ts";
import { readCountParameters } from "./count-parameters.ts";
import { listCountsSql } from "./list-counts.query.ts";
import { listCountsSchema } from "./response-counts.schema.ts";

const KNOWN: ReadonlySet<string> = new Set(Object.keys(listCountsSchema.querystring.properties));

export function responseCountsRoute(app: FastifyInstance, { pages }: RouteOptions): void {
  const route = { config: { scope: "responses:read" } } as const;
  app.get("/api/response-counts", route, async (request, reply) => {
    const sent = readQuery(request.url);
    const parameters = readCountParameters(sent);
    nameIgnored(reply, sent.keys(), KNOWN);
    const known = await pages.knownTag(request);
    if (known !== null) return notModified(reply, known);
    using page = await pages.read(request, listCountsSql(request.caller, parameters), parameters);
    return await pages.send(request, reply, page);
  });
}
