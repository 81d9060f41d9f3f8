import { factsOf, type Registry, refusalCounts } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "../errors/api-error.ts";

/** Counts why calls were refused, and which limits they met, from what is known of them at their end. */
export function countAnswers(app: FastifyInstance, registry: Registry): void {
  const count = refusalCounts(registry);
  app.addHook("onResponse", (request, _reply, done) => {
    count(factsOf(request));
    done();
  });
}

/** An export takes as long as its reader likes, so it is measured apart from the pages of its route. */
export function measuredAs({ listing, routeOptions }: FastifyRequest): string | undefined {
  const isExport = listing && !(listing instanceof ApiError) && listing.format !== null;
  return isExport ? `${routeOptions.url} export` : routeOptions.url;
}
