import { addCaches, addGauge, addInfo, type Registry } from "@partner-connect/service-runtime";
import type { AnswerMemory } from "../answers/answer-memory.ts";
import type { Authenticator } from "../authentication/authenticate.ts";
import type { Exports } from "../responses/export/export-responses.ts";

export interface MeasuredParts {
  readonly authenticator: Authenticator;
  readonly answers: AnswerMemory;
  readonly exports: Exports;
}

/** What the service's parts can tell when they are asked. */
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
