import { connectDatabase } from "@partner-connect/database";
import {
  connectRedis,
  createLogger,
  httpServer,
  runProcess,
  startInternalServer,
} from "@partner-connect/service-runtime";
import { addApi } from "./app.ts";
import { Authenticator } from "./authentication/authenticate.ts";
import { readConfig } from "./config.ts";
import { SESSION_SETTINGS } from "./session-settings.ts";
import { Database } from "./stores/database.ts";
import { OptionalRedis } from "./stores/optional-redis.ts";

/** Pages take milliseconds. Postgres ends a statement after this; a request waits a little longer, for a busy pool. */
const STATEMENT_TIMEOUT_MS = 3000;
const DATABASE_TIMEOUT_MS = 3500;
/** What three connections work off in about a tenth of a second. */
const MOST_STATEMENTS = 300;
/** A read goes on without Redis after this. */
const REDIS_TIMEOUT_MS = 250;
const BODY_LIMIT = 32 * 1024;

await runProcess(async () => {
  const config = readConfig();
  const logger = createLogger("resource-server", config.logLevel);
  const sql = connectDatabase(config.stores.databaseUrl, {
    name: "resource-server",
    connections: 3,
    statementTimeout: STATEMENT_TIMEOUT_MS,
    settings: SESSION_SETTINGS,
    reuseReadBuffer: true,
  });
  const redis = connectRedis(config.stores.redisUrl, "resource-server", { commandTimeout: REDIS_TIMEOUT_MS });
  const database = new Database(sql, { timeout: DATABASE_TIMEOUT_MS, most: MOST_STATEMENTS });
  const authenticator = new Authenticator({ ...config.tokens, database });
  authenticator.keys.start();

  const internal = await startInternalServer({
    host: config.http.host,
    port: config.http.internalPort,
    checks: {
      postgres: async () => void (await sql`SELECT`),
      jwks: async () => {
        if (!authenticator.keys.loaded) throw new Error("no keys yet");
      },
    },
  });
  const app = httpServer({
    logger,
    trustedProxies: config.http.trustedProxies,
    bodyLimit: BODY_LIMIT,
    durations: internal.durations,
  });
  await addApi(app, {
    database,
    redis: new OptionalRedis(redis, logger),
    authenticator,
    publicApiUrl: config.publicApiUrl,
    apiRateLimit: config.apiRateLimit,
  });
  await app.listen({ host: config.http.host, port: config.http.port });
  logger.info({ port: config.http.port }, "listening");

  return {
    logger,
    drainSeconds: config.drainSeconds,
    drain: internal.drain,
    async close() {
      await app.close();
      authenticator.keys.stop();
      await sql.end({ timeout: 5 });
      redis.disconnect();
      await internal.close();
    },
  };
});
