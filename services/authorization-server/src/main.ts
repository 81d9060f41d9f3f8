import { ActivityCounters } from "@partner-connect/connections/activity";
import { watchPositions } from "@partner-connect/connections/changes";
import {
  comparedClock,
  connectDatabase,
  requireOwnSession,
  requireWritable,
  STATEMENT_TIMEOUT,
  schemaCheck,
} from "@partner-connect/database";
import { SecretUses } from "@partner-connect/directory";
import {
  addGauge,
  auditLog,
  connectRedis,
  createLogger,
  createMetrics,
  redisAnswers,
  runProcess,
  startInternalServer,
  startTracing,
  storeMeters,
} from "@partner-connect/service-runtime";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { startCensus } from "./metrics/census.ts";
import { liveSigningKeys } from "./signing-keys/live-signing-keys.ts";
import { addSigningKeyMetrics } from "./signing-keys/signing-key-metrics.ts";

const NAME = "authorization-server";

await runProcess(async () => {
  const config = readConfig();
  const logger = createLogger(NAME, config.env.LOG_LEVEL);
  logger.info(config.summary, "configuration");
  const endTracing = await startTracing(config.env, NAME, logger);

  const signingKeys = await liveSigningKeys(config.tokens, logger);
  const metrics = createMetrics(config.env.REVISION);
  const meter = storeMeters(metrics.registry);
  const observer = meter("postgres");
  const pool = (connections: number) =>
    connectDatabase(config.env.DATABASE_URL, {
      name: NAME,
      connections,
      service: "authorization_server",
      deadline: STATEMENT_TIMEOUT.authorization_server,
      observer,
      onCommit: auditLog(logger),
    });
  const [sql, pagesSql] = [pool(4), pool(2)];
  await requireOwnSession(config.env.DATABASE_URL, "authorization_server");
  const redis = connectRedis(config.env.REDIS_URL, NAME, { meter: meter("redis") });

  const { HOST: host, PORT: port, INTERNAL_PORT: internalPort } = config.env;
  const activity = new ActivityCounters(sql, logger);
  const secretUses = new SecretUses(sql, logger);
  const positions = watchPositions(sql);
  const app = await createApp({
    config,
    sql,
    pagesSql,
    redis,
    signingKeys,
    activity,
    secretUses,
    positions,
    logger,
    metrics,
  });
  addSigningKeyMetrics(metrics.registry, signingKeys);
  const clock = comparedClock(sql);
  addGauge(
    metrics.registry,
    { name: "partner_connect_clock_offset_seconds", help: "How far this machine's clock is ahead of Postgres's." },
    clock.secondsAhead,
  );
  activity.start();
  secretUses.start();
  const census = startCensus(metrics.registry, sql, config.tokens.refreshTokenTtl);
  await app.listen({ host, port });
  // After `listen`, because a ready replica gets requests immediately.
  const internal = await startInternalServer({
    host,
    port: internalPort,
    metrics,
    log: logger,
    checks: {
      schema: schemaCheck(sql),
      postgres: () => requireWritable(sql, "oauth.connections"),
      redis: () => redisAnswers(redis),
      clock: clock.check,
    },
    documents: { "/keys": signingKeys.report },
  });
  logger.info({ port }, "listening");

  return {
    logger,
    drainSeconds: config.env.DRAIN_SECONDS,
    drain() {
      internal.drain();
      positions.close();
    },
    async close() {
      signingKeys.stop();
      await app.close();
      census.stop();
      await Promise.all([activity.close(), secretUses.close()]);
      await Promise.all([sql, pagesSql].map((each) => each.end({ timeout: 2 })));
      redis.disconnect();
      await internal.close();
      await endTracing();
    },
  };
});
