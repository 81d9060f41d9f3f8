import { connectDatabase, type Sql } from "@partner-connect/database";
import { connectRedis, createLogger, runProcess, startInternalServer } from "@partner-connect/service-runtime";
import { readSigningKeys } from "@partner-connect/signing-keys";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";

const NAME = "authorization-server";

await runProcess(async () => {
  const config = readConfig(process.env);
  const logger = createLogger(NAME, config.logLevel);
  const signingKeys = await readSigningKeys(config.signingKeysFile);
  const sql = connectDatabase(config.databaseUrl, { name: NAME, connections: 3, statementTimeout: 2000 });
  const redis = connectRedis(config.redisUrl, NAME);
  const internal = await startInternalServer({
    host: config.host,
    port: config.internalPort,
    checks: {
      postgres: () => canUse(sql),
      redis: async () => void (await redis.ping()),
    },
  });
  const app = await createApp({ config, sql, redis, signingKeys, logger, durations: internal.durations });
  await app.listen({ host: config.host, port: config.port });
  return {
    logger,
    drainSeconds: config.drainSeconds,
    drain: internal.drain,
    close: async () => {
      await app.close();
      redis.disconnect();
      await sql.end({ timeout: 2 });
      await internal.close();
    },
  };
});

/** That Postgres answers and its tables are ours to use. It takes no lock, so that a migration doesn't look like an outage. */
async function canUse(sql: Sql): Promise<void> {
  const [row] = await sql<{ granted: boolean }[]>`SELECT has_table_privilege('oauth.connections', 'SELECT') AS granted`;
  if (!row?.granted) throw new Error("oauth.connections may not be read");
}
