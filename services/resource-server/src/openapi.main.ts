import { type OpenApiDocument, readDocument, writeDocument } from "@partner-connect/contract/openapi";
import { connectRedis, createLogger, createMetrics } from "@partner-connect/service-runtime";
import { createApp } from "./app.ts";
import { Authenticator } from "./authentication/authenticate.ts";
import { readConfig } from "./config.ts";
import { openDatabases } from "./databases.ts";
import { Permits, REQUESTS } from "./http/permits.ts";
import { Usage } from "./usage.ts";

// The second half of `pnpm openapi`: adds the routes of this service to those of the authorization server. Uses no store.
const config = readConfig({
  PORT: "0",
  INTERNAL_PORT: "0",
  DATABASE_URL: "postgres://localhost/none",
  REDIS_URL: "redis://localhost",
  PUBLIC_BASE_URL: "http://localhost",
  JWKS_URL: "http://localhost",
});
const logger = createLogger("openapi", "silent");
const databases = openDatabases(config.env.DATABASE_URL);
const redis = connectRedis(config.env.REDIS_URL, "openapi");
const app = await createApp({
  config,
  databases,
  redis,
  authenticator: new Authenticator({ ...config.tokens, sql: databases.reads }),
  permits: new Permits(REQUESTS),
  usage: new Usage(databases.writes, logger),
  logger,
  metrics: createMetrics(),
});
await app.ready();
writeDocument(app.swagger() as object as OpenApiDocument, readDocument());
await app.close();
redis.disconnect();
await databases.end();
