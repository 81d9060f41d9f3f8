import type { PositionWatch } from "@partner-connect/changes";
import type { ActivityCounters } from "@partner-connect/connections/activity";
import type { Sql } from "@partner-connect/database";
import type { SecretUses } from "@partner-connect/directory";
import { addCaches, httpServer, type Logger, type Metrics, type Redis } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { authorizeRoute } from "./authorize/authorize.route.ts";
import { cachedClients } from "./clients/client-cache.ts";
import type { Config } from "./config.ts";
import { beginAuthorization } from "./consent/authorization-step.ts";
import { docsRoute } from "./developer-docs/docs.route.ts";
import { sendError, sendNotFound } from "./errors/error-handler.ts";
import { merchantPages } from "./merchant-pages.ts";
import { metadataRoute } from "./metadata/metadata.route.ts";
import { countOutcomes } from "./metrics/count-outcomes.ts";
import { providePageSettings } from "./pages/page-frame.ts";
import { measuredAs } from "./partner-api/changes.route.ts";
import { partnerApi } from "./partner-api/partner-api.ts";
import { authorizationCodes } from "./provider/authorization-codes.ts";
import { createProvider } from "./provider/provider.ts";
import { forgetRefreshToken, refreshTokens } from "./provider/refresh-tokens.ts";
import { limitRates } from "./rate-limit.ts";
import type { LiveKeys } from "./signing-keys/live-signing-keys.ts";
import { accessTokenIssuer } from "./token/access-token-issuer.ts";
import { batchRoute } from "./token/batch/batch.route.ts";
import { revokeRoute } from "./token/revoke/revoke.route.ts";
import { tokenRoute } from "./token/token.route.ts";

export interface Dependencies {
  readonly config: Config;
  readonly sql: Sql;
  readonly redis: Redis;
  readonly signingKeys: LiveKeys;
  readonly activity: ActivityCounters;
  readonly secretUses: SecretUses;
  /** By which calls wait for changes. Who closes it ends them. */
  readonly positions: PositionWatch;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Bytes. A token request is a short form, and no route takes a larger body. */
const BODY_LIMIT = 16 * 1024;

export async function createApp(dependencies: Dependencies): Promise<FastifyInstance> {
  const { config, sql, redis, signingKeys, activity, secretUses, positions, logger, metrics } = dependencies;
  const { issuer, audience, accessTokenTtl, authorizationCodeTtl, refreshTokenTtl, codeReplayGrace } = config.tokens;

  const clients = cachedClients(sql, secretUses);
  const provider = createProvider({ issuer, redis, clients, authorizationCodeTtl, refreshTokenTtl });
  const codes = authorizationCodes(provider);

  const { trustedProxies } = config.http;
  const app = httpServer({
    logger,
    durations: metrics.durations,
    trustedProxies,
    bodyLimit: BODY_LIMIT,
    publicUrl: issuer,
    measuredAs,
  });
  countOutcomes(app, metrics.registry, activity);
  addCaches(metrics.registry, { client: clients.uses });
  providePageSettings(app, { publicBaseUrl: issuer, links: config.links, product: config.product });
  app.setErrorHandler(sendError);
  app.setNotFoundHandler(sendNotFound);
  await limitRates(app, redis);

  await app.register(metadataRoute, { issuer, publishedKeys: () => signingKeys.current.published });
  await app.register(docsRoute, { issuer, supportUrl: config.supportUrl });
  await app.register(authorizeRoute, {
    issuer,
    clients,
    rateLimit: config.rateLimits.authorize,
    begin: beginAuthorization(issuer),
  });
  const tokenOptions = {
    sql,
    clients,
    rateLimit: config.rateLimits.token,
    codeReplayGrace,
    codes,
    refreshTokenTtl,
    refreshTokens: refreshTokens(provider),
    accessTokens: accessTokenIssuer({ keys: signingKeys, issuer, audience, ttl: accessTokenTtl }),
  };
  await app.register(tokenRoute, tokenOptions);
  await app.register(batchRoute, tokenOptions);
  await app.register(partnerApi, {
    sql,
    positions,
    registry: metrics.registry,
    clients,
    issuer,
    rateLimit: config.rateLimits.partnerApi,
    refreshTokenTtl,
  });
  await app.register(revokeRoute, { ...tokenOptions, rateLimit: config.rateLimits.partnerApi });
  await app.register(merchantPages, {
    sql,
    redis,
    databaseUrl: config.stores.databaseUrl,
    findClient: clients.find,
    codes,
    publicBaseUrl: issuer,
    mailFrom: config.mailFrom?.address ?? null,
    authUrl: config.authUrl,
    refreshTokenTtlSeconds: refreshTokenTtl,
    authorizationCodeTtlSeconds: authorizationCodeTtl,
    codeReplayGraceSeconds: codeReplayGrace,
    openId: config.openId,
    decisionRateLimit: config.rateLimits.authorize,
    rateLimits: config.rateLimits,
    supportUrl: config.supportUrl,
    forgetRefreshToken: (hash) => forgetRefreshToken(redis, hash),
  });
  return app;
}
