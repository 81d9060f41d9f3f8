import { pipeline } from "node:stream";
import type { FastifyInstance } from "fastify";
import { chooseCoding, compressor } from "../http/content-coding.ts";
import { readQuery } from "../http/query-string.ts";
import { sendPage } from "../pages/send-page.ts";
import type { RouteOptions } from "../route-options.ts";
import { CursorPositions } from "./cursor-positions.ts";
import { chooseExport } from "./export-format.ts";
import { Exports } from "./export-responses.ts";
import { readListParameters } from "./list-parameters.ts";
import { listResponses } from "./list-responses.ts";

/** Who takes nothing of an export for so long is cut off; they can go on from the last record that they have. */
const STALL_MS = 60_000;

/** What an export has left when the process is told to close. */
const LAST_SECONDS_MS = 5000;

/** Spec, GET /api/responses: a page of JSON; or all that match, where `Accept` asks for NDJSON or CSV. */
export function responsesRoute(app: FastifyInstance, options: RouteOptions): void {
  const endpoint = `${options.publicApiUrl}/api/responses`;
  const reader = { ...options, positions: new CursorPositions(options.redis) };
  const exports = new Exports(reader);
  app.addHook("preClose", async () => {
    setTimeout(() => exports.end(), LAST_SECONDS_MS).unref();
  });
  app.get("/api/responses", { config: { scope: "responses:read" } }, async (request, reply) => {
    const parameters = readListParameters(readQuery(request.url));
    const format = chooseExport(request.headers.accept);
    if (format) {
      const stream = await exports.open(request.caller, parameters, format);
      reply.type(format.type).header("vary", "authorization, accept, accept-encoding");
      reply.raw.setTimeout(STALL_MS, () => reply.raw.destroy());
      const coding = chooseCoding(request.headers["accept-encoding"]);
      if (!coding) return reply.send(stream);
      return reply.header("content-encoding", coding).send(pipeline(stream, compressor(coding), () => {}));
    }
    return await sendPage(request, reply, endpoint, parameters, (use) =>
      listResponses(reader, request.caller, parameters, use),
    );
  });
}
