import { connectDatabase, requireOwnSession, requireWritable, schemaCheck } from "@partner-connect/database";
import { startIncomingJobs } from "@partner-connect/database/jobs";
import {
  auditLog,
  createLogger,
  createMetrics,
  runProcess,
  startInternalServer,
  startTracing,
  storeMeters,
} from "@partner-connect/service-runtime";
import { purgeKind } from "./back-office/purge.ts";
import { testShopKinds } from "./back-office/test-shops.ts";
import { readBackOfficeConfig } from "./config.ts";
import { startJobs } from "./jobs.ts";

const NAME = "back-office";

/** For jobs, the queue, and health. */
const CONNECTIONS = 4;

/** The back office: purge, erasure, months and test shops' changes. It sends nothing outward, so a network policy can forbid that. */
await runProcess(async () => {
  const { env, summary } = readBackOfficeConfig();
  const logger = createLogger(NAME, env.LOG_LEVEL);
  logger.info(summary, "configuration");
  const endTracing = await startTracing(env, NAME, logger);

  const metrics = createMetrics(env.REVISION);
  const sql = connectDatabase(env.DATABASE_URL, {
    ...{ name: NAME, service: "back_office", connections: CONNECTIONS },
    observer: storeMeters(metrics.registry)("postgres"),
    onCommit: auditLog(logger),
  });
  await requireOwnSession(env.DATABASE_URL, "back_office");

  const incoming = startIncomingJobs(sql, "back_office_jobs");
  const kinds = [purgeKind(sql, env.AUDIT_KEEP_MONTHS), ...testShopKinds(sql)];
  const jobs = startJobs({ sql, schema: "back_office_jobs", kinds, logger, registry: metrics.registry });
  const internal = await startInternalServer({
    ...{ host: env.HOST, port: env.INTERNAL_PORT, metrics, log: logger },
    checks: { schema: schemaCheck(sql), postgres: () => requireWritable(sql, "directory.test_shops") },
  });
  logger.info({ port: internal.port }, "listening");

  return {
    logger,
    drainSeconds: 0, // it serves no requests
    drain: internal.drain,
    async close() {
      await Promise.all([jobs.close(), incoming.close()]);
      await sql.end({ timeout: 2 });
      await internal.close();
      await endTracing();
    },
  };
});
