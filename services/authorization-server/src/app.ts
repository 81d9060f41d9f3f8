import rateLimit from "@fastify/rate-limit";
import { refresher } from "@partner-connect/connections";
import type { Sql } from "@partner-connect/database";
import { type Histogram, httpServer, type Logger, type Redis } from "@partner-connect/service-runtime";
import type { SigningKeys } from "@partner-connect/signing-keys";
import type { FastifyInstance } from "fastify";
import { authorizeRoute } from "./authorize/authorize.route.ts";
import { cachedClients } from "./clients/client-cache.ts";
import type { Config } from "./config.ts";
import { beginAuthorization } from "./consent/index.ts";
import { answerFailure, answerNotFound } from "./errors/error-handler.ts";
import { merchantPages } from "./merchant-pages.ts";
import { metadataRoute } from "./metadata/metadata.route.ts";
import { codeIssuer } from "./provider/code-issuer.ts";
import { issuedCodes } from "./provider/issued-codes.ts";
import { createProvider } from "./provider/provider.ts";
import { accessTokenIssuer } from "./token/access-token-issuer.ts";
import { refreshTokenStore } from "./token/refresh-token-store.ts";
import { tokenRoute } from "./token/token.route.ts";

export interface AppOptions {
  readonly config: Config;
  readonly sql: Sql;
  readonly redis: Redis;
  readonly signingKeys: SigningKeys;
  readonly logger: Logger;
  readonly durations: Histogram;
}

/** A token request is a short form; nothing here takes a larger body. */
const BODY_LIMIT = 16 * 1024;

/** The whole authorization server. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, sql, redis, signingKeys, logger, durations } = options;
  const { issuer } = config;
  const app = httpServer({
    logger,
    durations,
    trustedProxies: config.trustedProxies,
    bodyLimit: BODY_LIMIT,
    publicUrl: issuer,
  });
  app.setErrorHandler(answerFailure);
  app.setNotFoundHandler(answerNotFound);
  // Per client address (an IPv6 /64 counts as one), shared by all replicas. Without Redis: 503, not unlimited.
  await app.register(rateLimit, { global: false, redis, nameSpace: "rate-limit:" });

  const clients = cachedClients(sql);
  const provider = createProvider({
    issuer,
    redis,
    clients,
    signingKeys,
    authorizationCodeTtl: config.authorizationCodeTtl,
  });
  const begin = beginAuthorization(issuer);

  await app.register(metadataRoute, { issuer, publishedKeys: signingKeys.published });
  await app.register(authorizeRoute, {
    clients,
    issuer,
    rateLimit: config.authorizeRateLimit,
    begin: (request, reply, valid) => begin(request, reply, { ...valid, clientId: valid.client.clientId }),
  });
  await app.register(tokenRoute, {
    accessTokenTtl: config.accessTokenTtl,
    codeReplayGrace: config.codeReplayGrace,
    sql,
    refresh: refresher(sql, config.refreshTokenTtl),
    clients,
    codes: issuedCodes(provider),
    refreshTokens: refreshTokenStore(redis, config.refreshTokenTtl),
    accessTokens: accessTokenIssuer({
      key: signingKeys.active,
      issuer,
      audience: config.audience,
      ttl: config.accessTokenTtl,
    }),
    rateLimit: config.tokenRateLimit,
  });
  await app.register(merchantPages, {
    sql,
    redis,
    findClient: clients.find,
    codes: codeIssuer(provider),
    publicBaseUrl: issuer,
    refreshTokenTtlSeconds: config.refreshTokenTtl,
    codeReplayGraceSeconds: config.codeReplayGrace,
    decisionRateLimit: config.authorizeRateLimit,
  });
  return app;
}
