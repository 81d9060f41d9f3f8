import { ActivityCounters } from "@partner-connect/connections/activity";
import { watchPositions } from "@partner-connect/connections/changes";
import {
  comparedClock,
  connectDatabase,
  requireWritable,
  STATEMENT_TIMEOUT,
  schemaCheck,
} from "@partner-connect/database";
import { SecretUses } from "@partner-connect/directory";
import {
  addGauge,
  auditLog,
  connectRedis,
  requireRedis,
  runService,
} from "@partner-connect/service-runtime";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { startCensus } from "./metrics/census.ts";
import { addSigningKeyMetrics, liveSigningKeys } from "./signing-keys/live-signing-keys.ts";

const NAME = "authorization-server";

await runService(NAME, readConfig, async ({ config, logger, metrics, meter }) => {
  const { env, tokens } = config;
  const signingKeys = await liveSigningKeys(tokens, logger);
  const observer = meter("postgres");
  const pool = (connections: number) =>
    connectDatabase(env.DATABASE_URL, {
      name: NAME,
      connections,
      service: "authorization_server",
      deadline: STATEMENT_TIMEOUT.authorization_server,
      observer,
      onCommit: auditLog(logger),
    });
  const [sql, pagesSql] = [pool(4), pool(2)];
  const redis = connectRedis(env.REDIS_URL, NAME, { meter: meter("redis") });
  const activity = new ActivityCounters(sql, logger);
  const secretUses = new SecretUses(sql, logger);
  const positions = watchPositions(sql);
  const stores = { sql, pagesSql, redis, signingKeys };
  const app = await createApp({
    config,
    ...stores,
    activity,
    secretUses,
    positions,
    logger,
    metrics,
  });
  addSigningKeyMetrics(metrics.registry, signingKeys);
  const clock = comparedClock(sql);
  addGauge(metrics.registry, clock.secondsAhead, {
    name: "partner_connect_clock_offset_seconds",
    help: "How far this machine's clock is ahead of Postgres's.",
  });
  activity.start();
  secretUses.start();
  const census = startCensus(metrics.registry, sql, tokens.refreshTokenTtl);
  await app.listen({ host: env.HOST, port: env.PORT });

  return {
    checks: {
      schema: schemaCheck(sql),
      postgres: () => requireWritable(sql, "oauth.connections"),
      redis: () => requireRedis(redis),
      clock: clock.check,
    },
    documents: { "/keys": signingKeys.report },
    drainSeconds: env.DRAIN_SECONDS,
    drain: () => positions.close(),
    async close() {
      signingKeys.stop();
      await app.close();
      census.stop();
      await Promise.all([activity.close(), secretUses.close()]);
      await Promise.all([sql, pagesSql].map((each) => each.end({ timeout: 2 })));
      redis.disconnect();
    },
  };
});
