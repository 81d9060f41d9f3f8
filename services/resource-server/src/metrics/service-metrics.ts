import { addCaches, addGauge, addInfo, factsOf, type Registry, refusalCounts } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AnswerMemory } from "../answers/answer-memory.ts";
import type { Authenticator } from "../authentication/authenticate.ts";
import { ApiError } from "../errors/api-error.ts";
import type { Exports } from "../responses/export/export-responses.ts";

interface MeasuredParts {
  readonly authenticator: Authenticator;
  readonly answers: AnswerMemory;
  readonly exports: Exports;
}

export function addServiceMetrics(registry: Registry, { authenticator, answers, exports }: MeasuredParts): void {
  const { keys, uses } = authenticator;
  addGauge(
    registry,
    {
      name: "partner_connect_jwks_age_seconds",
      help: "Time since the authorization server's keys were fetched last. Missing before the first time.",
    },
    () => keys.report().age_seconds,
  );
  addInfo(
    registry,
    {
      name: "partner_connect_jwks_key_info",
      help: "1 for each key whose tokens are accepted.",
      labelNames: ["kid"],
    },
    () => keys.report().known.map((kid) => ({ kid })),
  );
  addCaches(registry, { access_token: uses.accessToken, api_key: uses.apiKey });
  addGauge(
    registry,
    {
      name: "partner_connect_unread_answer_bytes",
      help: "Memory of answers that callers have not taken yet.",
    },
    () => answers.held,
  );
  addGauge(
    registry,
    {
      name: "partner_connect_unread_answer_limit_bytes",
      help: "ANSWER_MEMORY_MB: with more in it, pages and exports are refused.",
    },
    () => answers.limit,
  );
  addGauge(
    registry,
    { name: "partner_connect_exports_open", help: "Exports that are being read." },
    () => exports.underWay,
  );
}

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
