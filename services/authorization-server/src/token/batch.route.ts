import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@partner-connect/directory";
import { faultReason, noteFacts, validateRequests } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { addClientEndpoint, prepareClientEndpoints } from "../clients/client-endpoint.ts";
import { asTokenError, TokenError } from "../clients/token-error.ts";
import { TOKEN_BATCH_PATH } from "../protocol.ts";
import { shopOfRefreshToken } from "../provider/refresh-tokens.ts";
import type { IssuedTokens } from "./access-token.ts";
import { type BatchRequest, schema, UNAVAILABLE } from "./batch.schema.ts";
import { refreshAccessToken } from "./refresh-token-grant.ts";
import { requireGrantType, TokenRequest } from "./token-request.ts";

const BODY_LIMIT = 256 * 1024;

/** Refreshes many tokens in one call, which counts as one token call. */
export async function batchRoute(app: FastifyInstance): Promise<void> {
  const refreshBatch = batchRefresher(app);
  prepareClientEndpoints(app, "json");
  validateRequests(app, (name, problem) => {
    const description =
      name === "body" ? `the body ${problem}, of type application/json` : `${name} ${problem}`;
    return new TokenError("invalid_request", description, "malformed_batch");
  });
  addClientEndpoint(app, {
    url: TOKEN_BATCH_PATH,
    schema,
    method: "POST",
    limit: "token",
    bodyLimit: BODY_LIMIT,
    async answer(request, reply, client) {
      noteFacts(request, { grantType: "batch" });
      const { refresh_tokens: tokens } = request.body as BatchRequest;
      requireGrantType(client, "refresh_token");
      const { results, counts, fault } = await refreshBatch(client, tokens);
      noteFacts(request, { tokens: counts });
      if (fault !== undefined)
        request.log.error({ err: fault }, "some refreshes of a batch failed");
      return reply.send({ results });
    },
  });
}

/** Number of tokens that are refreshed at once. Groups of this size follow one another. */
const GROUP_SIZE = 100;

/** Milliseconds between groups, in which the service handles other requests. */
const PAUSE_MS = 30;

/** Milliseconds after which no further group of a batch begins. */
const DEADLINE_MS = 8000;

type Answer = PromiseSettledResult<IssuedTokens>;

class BatchDeadlineError extends Error {
  readonly code = "DATABASE_DEADLINE";
}

const timedOutAnswer = (): Answer => ({
  status: "rejected",
  reason: new BatchDeadlineError("the batch took too long"),
});

/**
 * Returns a function that refreshes a batch of tokens. Batches of one client run one after another.
 * It rejects if every well-formed token fails with a fault, as when earlier batches take too long.
 */
function batchRefresher(app: FastifyInstance) {
  const lastOf = new Map<string, Promise<unknown>>();
  return async (client: Client, given: string[]) => {
    const endsAt = performance.now() + DEADLINE_MS;
    const before = lastOf.get(client.clientId);
    const work = async () => {
      if (before) await Promise.race([before, sleep(DEADLINE_MS, undefined, { ref: false })]);
      return await refreshAll(client, given, endsAt);
    };
    const done = work();
    const ended: Promise<unknown> = done
      .catch(() => {})
      .then(() => lastOf.get(client.clientId) === ended && lastOf.delete(client.clientId));
    lastOf.set(client.clientId, ended);
    return await done;
  };

  async function refreshAll(client: Client, given: string[], endsAt: number) {
    const distinct = [...new Set(given)];
    const answers = new Map<string, Answer>();
    while (answers.size < distinct.length && performance.now() <= endsAt) {
      if (answers.size > 0) await sleep(PAUSE_MS);
      const group = distinct.slice(answers.size, answers.size + GROUP_SIZE);
      const requests = group.map(
        (token) => new TokenRequest(new URLSearchParams({ refresh_token: token })),
      );
      const each = await Promise.allSettled(
        requests.map((request) => refreshAccessToken(app, client, request)),
      );
      for (const [index, token] of group.entries()) answers.set(token, each[index] as Answer);
    }
    return summarize(given, answers);
  }
}

/**
 * The results in the order of the given tokens, the number of each outcome, and the error that
 * caused the first 'temporarily_unavailable'. Throws it if no well-formed token got another result.
 */
function summarize(given: readonly string[], answers: ReadonlyMap<string, Answer>) {
  const counts = {
    issued: 0,
    refused: {} as Record<string, number>,
    failed: {} as Record<string, number>,
  };
  let fault: unknown;
  let isAnswered = false;
  const results = given.map((token) => {
    const answer = answers.get(token) ?? timedOutAnswer();
    if (answer.status === "fulfilled") {
      counts.issued++;
      return answer.value.response;
    }
    const refusal = asTokenError(answer.reason);
    if (refusal) {
      increment(counts.refused, refusal.facts.reason ?? "refused");
      isAnswered ||= shopOfRefreshToken(token) !== null;
      return refusal.body;
    }
    increment(counts.failed, faultReason(answer.reason));
    fault ??= answer.reason;
    return UNAVAILABLE;
  });
  if (fault !== undefined && counts.issued === 0 && !isAnswered) throw fault;
  return { results, counts, fault };
}

function increment(counts: Record<string, number>, reason: string): void {
  counts[reason] = (counts[reason] ?? 0) + 1;
}
