import { requireOwnSession, requireWritable, schemaCheck } from "@partner-connect/database";
import {
  connectRedis,
  createLogger,
  createMetrics,
  logConfiguration,
  runProcess,
  startInternalServer,
  storeMeters,
} from "@partner-connect/service-runtime";
import { startTracing } from "@partner-connect/service-runtime/tracing";
import { createApp } from "./app.ts";
import { Authenticator } from "./authentication/authenticate.ts";
import { readConfig, summarizeConfig } from "./config.ts";
import { Permits, REQUESTS } from "./http/permits.ts";
import { openDatabases } from "./stores/databases.ts";
import { Usage } from "./usage/usage.ts";

const NAME = "resource-server";

/** A read goes on without Redis after this. It is long enough for a moment in which a busy machine runs neither process. */
const REDIS_TIMEOUT_MS = 500;

await runProcess(async () => {
  const config = readConfig();
  const logger = createLogger(NAME, config.process.logLevel);
  logConfiguration(logger, summarizeConfig());
  const tracing = await startTracing(config.tracing, logger);

  const metrics = createMetrics(config.process.revision);
  const meter = storeMeters(metrics.registry);
  const databases = openDatabases(config.stores.databaseUrl, {
    observers: { reads: meter("postgres"), writes: meter("postgres_writes") },
  });
  await requireOwnSession(config.stores.databaseUrl, "resource_server");
  const redis = connectRedis(config.stores.redisUrl, NAME, { silence: REDIS_TIMEOUT_MS, meter: meter("redis") });
  const authenticator = new Authenticator({ ...config.tokens, sql: databases.reads });
  authenticator.keys.start();
  const permits = new Permits(REQUESTS);
  const usage = new Usage(databases.writes, logger);

  const { host, port, internalPort } = config.http;
  const app = await createApp({ config, databases, redis, authenticator, permits, usage, logger, metrics });
  usage.start();
  await app.listen({ host, port });
  // Not before: who asks whether it is ready would then send it requests that nobody takes.
  const internal = await startInternalServer({
    host,
    port: internalPort,
    metrics,
    log: logger,
    checks: {
      schema: schemaCheck(databases.reads),
      postgres: () => requireWritable(databases.reads, "survey.sources"),
      jwks: async () => {
        if (!authenticator.keys.loaded) throw authenticator.keys.failure ?? new Error("no keys yet");
      },
    },
    documents: { "/keys": () => authenticator.keys.report() },
  });
  logger.info({ port }, "listening");

  return {
    logger,
    drainSeconds: config.process.drainSeconds,
    drain: internal.drain,
    async close() {
      await app.close();
      authenticator.keys.stop();
      await usage.close();
      await databases.end();
      redis.disconnect();
      await internal.close();
      await tracing?.close();
    },
  };
});
