import { pipeline } from "node:stream";
import { nameIgnored } from "@partner-connect/public-api";
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import { ApiError } from "../errors/api-error.ts";
import { chooseCoding, compressor } from "../http/content-coding.ts";
import { notModified } from "../pagination/pages.ts";
import type { Start } from "../position-memory/position-memory.ts";
import type { RouteOptions } from "../route-options.ts";
import type { ExportFormat } from "./export/format.ts";
import { listResponsesSql } from "./list-query/list-responses.query.ts";
import { whatIsNewSql } from "./list-query/what-is-new.query.ts";
import { type Listing, movingList, parseListing } from "./listing.ts";
import { LIST_PARAMETERS } from "./parameters/list-parameters.schema.ts";
import type { ListParameters } from "./parameters/list-parameters.ts";

declare module "fastify" {
  interface FastifyRequest {
    listing: Listing | ApiError;
    /** Of a page of `GET /api/responses`: where it starts. */
    start: Promise<Start> | null;
  }
}

const KNOWN: ReadonlySet<string> = new Set(Object.keys(LIST_PARAMETERS));

/**
 * Spec, GET /api/responses: a page of JSON; or all that match, where `Accept` asks for NDJSON, CSV or Parquet. A page asks Redis first for its
 * position, where the cursor is an id alone, in one write with the rate limit's count; and keeps its edges there before it is sent, as the
 * caller may go on at another replica.
 */
export function responsesRoute(app: FastifyInstance, options: RouteOptions): void {
  const { pages, positions, exports } = options;
  app.decorateRequest("listing");
  app.decorateRequest("start", null);

  const onRequest: onRequestHookHandler = (request, _reply, done) => {
    const listing = parseListing(request);
    request.listing = listing;
    if (!(listing instanceof ApiError) && !listing.format) {
      request.start = positions.startOf(movingList(request.caller, listing.parameters));
      request.start.catch(() => {}); // the handler, which awaits it later, gets the failure
    }
    done();
  };
  const route = { config: { scope: "responses:read" }, onRequest } as const;
  app.get("/api/responses", route, async (request, reply) => {
    const { caller, listing } = request;
    if (listing instanceof ApiError) throw listing;
    const { parameters, sent, format } = listing;
    nameIgnored(reply, sent.keys(), KNOWN);
    if (format) return await sendExport(request, reply, parameters, format);
    const list = movingList(caller, parameters);
    const start = (await request.start) as Start;
    const place = positions.placeOf(list, start);
    const known = await pages.knownTag(request, place);
    if (known !== null) return notModified(reply, known);
    using page =
      (await pages.readEmpty(request, whatIsNewSql(caller, parameters), parameters)) ??
      (await pages.read(request, listResponsesSql(caller, parameters, start.position), parameters));
    await positions.remember(list, start, page.edges);
    return await pages.send(request, reply, page, place);
  });

  async function sendExport(
    { caller, headers, method }: FastifyRequest,
    reply: FastifyReply,
    parameters: ListParameters,
    format: ExportFormat,
  ): Promise<FastifyReply> {
    const stream = await exports.open(caller, parameters, format, reply.raw);
    reply.type(format.type).header("vary", "authorization, accept, accept-encoding");
    const coding = format.isCompressed ? null : chooseCoding(headers["accept-encoding"]);
    if (coding) reply.header("content-encoding", coding);
    if (method === "HEAD") {
      stream.destroy();
      return reply.send();
    }
    return reply.send(coding ? pipeline(stream, compressor(coding), () => {}) : stream);
  }
}
