import {
  connectRedis,
  createLogger,
  httpServer,
  runProcess,
  startInternalServer,
} from "@partner-connect/service-runtime";
import { AnswerMemory } from "./answers/answer-memory.ts";
import { addApi } from "./app.ts";
import { Authenticator } from "./authentication/authenticate.ts";
import { readConfig } from "./config.ts";
import { openDatabases } from "./stores/open-databases.ts";
import { OptionalRedis } from "./stores/optional-redis.ts";

/** A read goes on without Redis after this. Long enough for a moment in which either process gets no time of a busy machine. */
const REDIS_TIMEOUT_MS = 500;
const BODY_LIMIT = 32 * 1024;

await runProcess(async () => {
  const config = readConfig();
  const logger = createLogger("resource-server", config.logLevel);
  const databases = openDatabases(config.stores.databaseUrl);
  const redis = connectRedis(config.stores.redisUrl, "resource-server", { silence: REDIS_TIMEOUT_MS });
  const authenticator = new Authenticator({ ...config.tokens, database: databases.reads });
  authenticator.keys.start();

  const internal = await startInternalServer({
    host: config.http.host,
    port: config.http.internalPort,
    checks: {
      postgres: async () => void (await databases.sql`SELECT`),
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
    publicUrl: config.publicApiUrl,
    stallMs: config.answers.stallSeconds * 1000,
  });
  await addApi(app, {
    database: databases.reads,
    writes: databases.writes,
    redis: new OptionalRedis(redis, logger),
    answers: new AnswerMemory(config.answers.memoryBytes),
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
      await databases.end();
      redis.disconnect();
      await internal.close();
    },
  };
});
