import { refresher } from "@partner-connect/connections";
import { httpServer, refuseCompressed } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { authorizeRoute } from "./authorize/authorize.route.ts";
import { cachedClients } from "./clients/client-cache.ts";
import { limitRates } from "./clients/rate-limit.ts";
import type { Dependencies } from "./dependencies.ts";
import { docsRoute } from "./developer-docs/docs.route.ts";
import { refuseLargeHeaders } from "./errors.ts";
import { merchantPages } from "./merchant-pages.ts";
import { metadataRoute } from "./metadata.route.ts";
import { countOutcomes } from "./metrics/count-outcomes.ts";
import { describeRoutes } from "./openapi.ts";
import { pageAssets } from "./pages/assets.ts";
import { measuredAs } from "./partner-api/changes.route.ts";
import { partnerApi } from "./partner-api/partner-api.ts";
import { authorizationCodes } from "./provider/authorization-codes.ts";
import { createProvider } from "./provider/provider.ts";
import { refreshTokens } from "./provider/refresh-tokens.ts";
import { answerUnknownRoutes, sendError } from "./send-error.ts";
import { accessTokenIssuer } from "./token/access-token.ts";
import { batchRoute } from "./token/batch.route.ts";
import { revokeRoute } from "./token/revoke.route.ts";
import { tokenRoute } from "./token/token.route.ts";

/** Default maximum bytes of a body. Only the batch endpoint accepts more. */
const BODY_LIMIT = 16 * 1024;

export async function createApp(dependencies: Dependencies): Promise<FastifyInstance> {
  const { config, sql, redis, signingKeys, logger, metrics } = dependencies;
  const { issuer } = config.tokens;

  const clients = cachedClients(sql, dependencies.secretUses);
  const provider = createProvider({ ...config.tokens, redis, clients });

  const app = httpServer({
    logger,
    durations: metrics.durations,
    trustedProxies: config.env.TRUSTED_PROXIES,
    bodyLimit: BODY_LIMIT,
    publicUrl: issuer,
    measuredAs,
  });
  refuseCompressed(app);
  app.decorate("config", config);
  app.decorate("sql", sql);
  app.decorate("pagesSql", dependencies.pagesSql);
  app.decorate("redis", redis);
  app.decorate("clients", clients);
  app.decorate("codes", authorizationCodes(provider));
  app.decorate("refreshTokens", refreshTokens(provider));
  app.decorate("refreshConnection", refresher(sql, config.tokens.refreshTokenTtl));
  app.decorate("accessTokens", accessTokenIssuer(signingKeys, config.tokens));
  app.decorate("pageAssets", pageAssets(config.product));

  countOutcomes(app, metrics.registry, dependencies.activity);
  app.setErrorHandler(sendError);
  answerUnknownRoutes(app);
  refuseLargeHeaders(app);
  await limitRates(app, redis);
  await describeRoutes(app);

  // The API reference lists the endpoints in this order.
  await app.register(authorizeRoute);
  await app.register(tokenRoute);
  await app.register(partnerApi, { positions: dependencies.positions });
  await app.register(batchRoute);
  await app.register(revokeRoute);
  await app.register(metadataRoute, { issuer, publishedKeys: () => signingKeys.current.published });
  await app.register(docsRoute, { issuer, supportUrl: config.supportUrl, product: config.product });
  await app.register(merchantPages);
  return app;
}
