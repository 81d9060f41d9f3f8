import { factsOf, type Registry, refusalCounts } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";

/** Counts why calls were refused, and which limits they met, from what is known of them at their end. */
export function countAnswers(app: FastifyInstance, registry: Registry): void {
  const count = refusalCounts(registry);
  app.addHook("onResponse", (request, _reply, done) => {
    count(factsOf(request));
    done();
  });
}
