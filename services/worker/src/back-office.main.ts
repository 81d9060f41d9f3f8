import { connectDatabase, requireWritable, schemaCheck } from "@partner-connect/database";
import { auditLog, runService } from "@partner-connect/service-runtime";
import { erasureKind } from "./back-office/erasures.ts";
import { purgeKind } from "./back-office/purge.ts";
import { testShopKinds } from "./back-office/test-shops.ts";
import { readBackOfficeConfig } from "./config.ts";
import { createInternalApi } from "./internal-api/internal-api.ts";
import { startJobs } from "./jobs.ts";

const NAME = "back-office";

/** Database connections for jobs, the queue, and health checks. */
const CONNECTIONS = 4;

/**
 * Pool for the internal API, whose calls must not wait for jobs. The timeouts of a statement and of
 * a whole call are in milliseconds.
 */
const API_POOL = { connections: 8, statementTimeout: 10_000, deadline: 30_000 };

/**
 * The back office: deletes expired data, carries out erasures, creates partitions, updates test
 * shops and serves the internal API. It calls no other host, which a network policy can enforce.
 */
await runService(
  NAME,
  readBackOfficeConfig,
  async ({ config: { env }, logger, metrics, meter }) => {
    const common = { service: "back_office", onCommit: auditLog(logger) } as const;
    const sql = connectDatabase(env.DATABASE_URL, {
      ...{ ...common, name: NAME, connections: CONNECTIONS, observer: meter("postgres") },
    });
    const kinds = [purgeKind(sql, env.AUDIT_KEEP_MONTHS), erasureKind(sql), ...testShopKinds(sql)];
    const jobs = startJobs({
      sql,
      schema: "back_office_jobs",
      kinds,
      logger,
      registry: metrics.registry,
    });
    const api = env.INTERNAL_API_PORT === undefined ? null : await serveApi(env.INTERNAL_API_PORT);

    async function serveApi(port: number) {
      const observer = meter("postgres_internal_api");
      const own = connectDatabase(env.DATABASE_URL, {
        ...common,
        ...API_POOL,
        name: "internal-api",
        observer,
      });
      const { INTERNAL_API_RATE_LIMIT: rateLimit, REFRESH_TOKEN_TTL_SECONDS: refreshTokenTtl } =
        env;
      const app = await createInternalApi({
        sql: own,
        logger,
        metrics,
        rateLimit,
        refreshTokenTtl,
      });
      await app.listen({ host: env.HOST, port });
      return {
        async close() {
          await app.close();
          await own.end({ timeout: 2 });
        },
      };
    }

    return {
      checks: {
        schema: schemaCheck(sql),
        postgres: () => requireWritable(sql, "directory.test_shops"),
      },
      drainSeconds: api === null ? 0 : env.DRAIN_SECONDS,
      async close() {
        await api?.close();
        await jobs.close();
        await sql.end({ timeout: 2 });
      },
    };
  },
);
