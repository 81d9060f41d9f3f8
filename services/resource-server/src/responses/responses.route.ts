import { nameIgnored } from "@partner-connect/public-api";
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from "fastify";
import type { Caller } from "../authentication/caller.ts";
import { ApiError } from "../errors/api-error.ts";
import { type QueryParameters, readQuery } from "../http/query-string.ts";
import { type MovingList, type Start, walksOf } from "../position-memory/position-memory.ts";
import type { RouteOptions } from "../route-options.ts";
import { listResponsesSql } from "./list-query/list-responses.query.ts";
import { LIST_PARAMETERS } from "./parameters/list-parameters.schema.ts";
import { type ListParameters, readListParameters } from "./parameters/list-parameters.ts";
import { isAscending, SORTS } from "./parameters/sort.ts";

/** What a request asks for, or the refusal of its parameters: a caller who may not call is told that first. */
type Asked = { readonly parameters: ListParameters; readonly sent: QueryParameters } | ApiError;

declare module "fastify" {
  interface FastifyRequest {
    asked: Asked;
    /** Where the page of responses starts. */
    start: Promise<Start> | null;
  }
}

const KNOWN: ReadonlySet<string> = new Set(Object.keys(LIST_PARAMETERS));

/**
 * Spec, GET /api/responses. Where the cursor is an id alone, Redis is asked for its position in one write with the rate limit's count. The
 * page's edges are stored there before it is sent, as the caller may go on at another replica.
 */
export function responsesRoute(app: FastifyInstance, { pages, positions }: RouteOptions): void {
  app.decorateRequest("asked");
  app.decorateRequest("start", null);

  const onRequest: onRequestHookHandler = (request, _reply, done) => {
    const asked = readAsked(request);
    request.asked = asked;
    if (!(asked instanceof ApiError)) {
      request.start = positions.startOf(movingList(request.caller, asked.parameters));
      request.start.catch(() => {}); // the handler, which awaits it later, gets the failure
    }
    done();
  };
  app.get("/api/responses", { config: { scope: "responses:read" }, onRequest }, async (request, reply) => {
    const { caller, asked } = request;
    if (asked instanceof ApiError) throw asked;
    const { parameters, sent } = asked;
    nameIgnored(reply, sent.keys(), KNOWN);
    const list = movingList(caller, parameters);
    const start = (await request.start) as Start;
    using page = await pages.read(request, listResponsesSql(caller, parameters, start.position), parameters);
    await positions.remember(list, start, page.edges);
    return await pages.send(request, reply, page);
  });
}

function readAsked({ url }: FastifyRequest): Asked {
  try {
    const sent = readQuery(url);
    return { parameters: readListParameters(sent), sent };
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** The list as the memory of positions sees it. By `inserted_at`, which only an import changes, nothing is remembered. */
function movingList(caller: Caller, { cursor, sort, ranges }: ListParameters): MovingList {
  const isRemembered = SORTS[sort].column === "updated_at";
  return {
    cursor,
    isAscending: isAscending(sort, cursor),
    walks: isRemembered ? walksOf(caller, sort, ranges) : null,
  };
}
