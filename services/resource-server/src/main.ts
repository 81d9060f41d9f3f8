import { setFlagsFromString } from "node:v8";
import { comparedClock, requireWritable, schemaCheck } from "@partner-connect/database";
import { addGauge, connectRedis, runService } from "@partner-connect/service-runtime";
import { createApp } from "./app.ts";
import { Authenticator } from "./authentication/authenticate.ts";
import { readConfig } from "./config.ts";
import { openDatabases } from "./databases.ts";
import { Permits, REQUEST_PERMITS } from "./http/permits.ts";
import { Usage } from "./usage.ts";

const NAME = "resource-server";

/** Milliseconds until reads continue without Redis; longer than the stalls of a busy machine. */
const REDIS_TIMEOUT_MS = 500;

// Pages are in buffers outside of the heap. By default a few megabytes of them make V8 collect the
// whole heap. That takes half of Node's CPU while a client reads a list.
setFlagsFromString("--heap-growing-percent=200");

await runService(NAME, readConfig, async ({ config, logger, metrics, meter }) => {
  const { env, tokens } = config;
  const databases = openDatabases(env.DATABASE_URL, {
    observers: { reads: meter("postgres"), writes: meter("postgres_writes") },
  });
  const redis = connectRedis(env.REDIS_URL, NAME, {
    silence: REDIS_TIMEOUT_MS,
    meter: meter("resource-server-redis"),
  });
  const authenticator = new Authenticator({ ...tokens, sql: databases.reads });
  authenticator.signingKeys.start();
  const permits = new Permits(REQUEST_PERMITS);
  const usage = new Usage(databases.writes, logger);
  const clock = comparedClock(databases.reads);
  addGauge(metrics.registry, clock.secondsAhead, {
    name: "partner_connect_clock_offset_seconds",
    help: "How far this machine's clock is ahead of Postgres's.",
  });
  const app = await createApp({
    config,
    databases,
    redis,
    authenticator,
    permits,
    usage,
    logger,
    metrics,
  });
  usage.start();
  await app.listen({ host: env.HOST, port: env.PORT });

  return {
    checks: {
      schema: schemaCheck(databases.reads),
      postgres: () => requireWritable(databases.reads, "survey.sources"),
      jwks: async () => {
        if (!authenticator.signingKeys.loaded)
          throw authenticator.signingKeys.failure ?? new Error("no keys yet");
      },
      clock: clock.check,
    },
    documents: { "/keys": () => authenticator.signingKeys.report() },
    drainSeconds: env.DRAIN_SECONDS,
    async close() {
      await app.close();
      authenticator.signingKeys.stop();
      await usage.close();
      await databases.end();
      redis.disconnect();
    },
  };
});
