import { pipeline } from "node:stream";
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from "fastify";
import { chooseCoding, compressor } from "../http/content-coding.ts";
import { readQuery } from "../http/query-string.ts";
import { sendPage } from "../pagination/send-page.ts";
import type { RouteOptions } from "../route-options.ts";
import { chooseExport, type ExportFormat } from "./export-format.ts";
import { Exports } from "./export-responses.ts";
import { type ListParameters, readListParameters } from "./list-parameters.ts";
import { type Listing, listResponses } from "./list-responses.ts";
import { CursorPositions } from "./position-memory/position-memory.ts";
import { listResponsesSchema, RESPONSE_SCHEMAS } from "./responses.schema.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Of `GET /api/responses`; throws what is wrong with it. */
    listing: () => Listing | ExportListing;
  }
}

/** Everything that matches, in this format. */
interface ExportListing {
  readonly parameters: ListParameters;
  readonly format: ExportFormat;
}

/** Spec, GET /api/responses: a page of JSON; or all that match, where `Accept` asks for NDJSON or CSV. */
export function responsesRoute(app: FastifyInstance, options: RouteOptions): void {
  const page = { answers: options.answers, endpoint: `${options.publicApiUrl}/api/responses` };
  const reader = { ...options, positions: new CursorPositions(options.redis, options.now) };
  const exports = new Exports(reader, options.answers);
  for (const schema of RESPONSE_SCHEMAS) app.addSchema(schema);
  app.addHook("onClose", async () => reader.positions.close());
  app.decorateRequest("listing");
  // As soon as the caller is known: where a memory is needed, one write asks Redis for it and counts the call.
  const onRequest: onRequestHookHandler = (request, _reply, done) => {
    request.listing = readListing(reader.positions, request);
    done();
  };
  const route = { config: { scope: "responses:read" }, schema: listResponsesSchema, onRequest } as const;
  app.get("/api/responses", route, async (request, reply) => {
    const listing = request.listing();
    const { parameters } = listing;
    if ("format" in listing) {
      const stream = await exports.open(request.caller, parameters, listing.format, reply.raw);
      reply.type(listing.format.type).header("vary", "authorization, accept, accept-encoding");
      const coding = chooseCoding(request.headers["accept-encoding"]);
      if (!coding) return reply.send(stream);
      return reply.header("content-encoding", coding).send(pipeline(stream, compressor(coding), () => {}));
    }
    return await sendPage(request, reply, page, parameters, (use) =>
      listResponses(reader, request.caller, listing, use),
    );
  });
}

/** The listing, or else what is wrong with it, for when its turn comes: who may not call is told that first. */
function readListing(positions: CursorPositions, request: FastifyRequest): FastifyRequest["listing"] {
  try {
    const parameters = readListParameters(readQuery(request.url));
    const format = chooseExport(request.headers.accept);
    if (format) return () => ({ parameters, format });
    const start = positions.startOf(request.caller, parameters);
    start.catch(() => {}); // whoever awaits it gets the error too
    return () => ({ parameters, start });
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
