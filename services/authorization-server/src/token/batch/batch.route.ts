import { MAX_BATCH, TOKEN_BATCH_PATH } from "@partner-connect/public-api";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyPluginAsync } from "fastify";
import { answerClients, clientEndpoint } from "../client-endpoint.ts";
import type { TokenRouteOptions } from "../token.route.ts";
import { TokenError } from "../token-error.ts";
import { requireGrantType } from "../token-request.ts";
import { batchRefresher } from "./refresh-batch.ts";

const BODY_LIMIT = 256 * 1024;

/** Many refreshes in one call, which counts as one of the token endpoint's. */
export const batchRoute: FastifyPluginAsync<TokenRouteOptions> = async (app, options) => {
  const refreshBatch = batchRefresher(options);
  answerClients(app, "json");
  clientEndpoint(app, {
    url: TOKEN_BATCH_PATH,
    method: "POST",
    clients: options.clients,
    limit: "token",
    rateLimit: options.rateLimit,
    bodyLimit: BODY_LIMIT,
    async answer(request, reply, client) {
      noteFacts(request, { grantType: "batch" });
      const tokens = refreshTokensOf(request.body);
      requireGrantType(client, "refresh_token");
      const { results, counts, fault } = await refreshBatch(client, tokens);
      noteFacts(request, { tokens: counts });
      if (fault !== undefined) request.log.error({ err: fault }, "some refreshes of a batch failed");
      return reply.send({ results });
    },
  });
};

/** @throws {TokenError} invalid_request */
function refreshTokensOf(body: unknown): string[] {
  const refused = (description: string) => new TokenError("invalid_request", description, "malformed_batch");
  if (body === null || typeof body !== "object")
    throw refused("the body must be a JSON object, of type application/json");
  const { refresh_tokens: tokens } = body as { readonly refresh_tokens?: unknown };
  const isBatch = Array.isArray(tokens) && tokens.length >= 1 && tokens.length <= MAX_BATCH;
  if (!isBatch || !tokens.every((token) => typeof token === "string"))
    throw refused(`refresh_tokens must be an array of 1 to ${MAX_BATCH} strings`);
  return tokens;
}
