import { pipeline } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import { ApiError } from "../errors/api-error.ts";
import { chooseCoding, compressor } from "../http/content-coding.ts";
import { sendPage } from "../pagination/send-page.ts";
import { PositionMemory } from "../position-memory/position-memory.ts";
import type { RouteOptions } from "../route-options.ts";
import { Exports } from "./export/export-responses.ts";
import { listResponses } from "./list-responses.ts";
import { type ExportListing, type Listing, parseListing } from "./listing.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Of `GET /api/responses`: what is asked for, or why that is refused. */
    listing: Listing | ApiError;
  }
}

/** Spec, GET /api/responses: a page of JSON; or all that match, where `Accept` asks for NDJSON or CSV. */
export function responsesRoute(app: FastifyInstance, options: RouteOptions): void {
  const endpoint = {
    answers: options.answers,
    usage: options.usage,
    endpoint: `${options.publicApiUrl}/api/responses`,
  };
  const reader = { ...options, positions: new PositionMemory(options.redis, options.now) };
  const exports = new Exports(reader, options.exportPlaces, options.answers, options.usage);
  app.decorateRequest("listing");

  // In the turn in which the rate limit counts the call: where a page's position has to be asked for, Redis gets both in one write.
  const onRequest: onRequestHookHandler = (request, _reply, done) => {
    request.listing = parseListing(request, reader.positions);
    done();
  };
  const route = { config: { scope: "responses:read" }, onRequest } as const;
  app.get("/api/responses", route, async (request, reply) => {
    const { caller, listing } = request;
    if (listing instanceof ApiError) throw listing;
    if (listing.kind === "export") return await sendExport(request, reply, exports, listing);
    return await sendPage(request, reply, endpoint, listing.parameters, (memory) =>
      listResponses(reader, caller, listing, memory),
    );
  });
}

async function sendExport(
  { caller, headers, method }: FastifyRequest,
  reply: FastifyReply,
  exports: Exports,
  { parameters, format }: ExportListing,
): Promise<FastifyReply> {
  const stream = await exports.open(caller, parameters, format, reply.raw);
  reply.type(format.type).header("vary", "authorization, accept, accept-encoding");
  const coding = chooseCoding(headers["accept-encoding"]);
  if (coding) reply.header("content-encoding", coding);
  if (method === "HEAD") {
    stream.destroy();
    return reply.send();
  }
  return reply.send(coding ? pipeline(stream, compressor(coding), () => {}) : stream);
}
