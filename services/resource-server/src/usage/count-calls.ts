import type { FastifyInstance } from "fastify";
import type { UsageCounters } from "./usage-counters.ts";

/** Counts each call whose caller is known, when its answer has ended: taken whole, or given up. */
export function countCalls(app: FastifyInstance, usage: UsageCounters): void {
  app.addHook("onRequest", (request, reply, done) => {
    const { caller } = request;
    if (caller) reply.raw.once("close", () => usage.call(caller, reply.raw.statusCode));
    done();
  });
}
