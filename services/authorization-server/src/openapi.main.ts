import { ActivityCounters } from "@partner-connect/connections/activity";
import { watchPositions } from "@partner-connect/connections/changes";
import { type OpenApiDocument, writeDocument } from "@partner-connect/contract/openapi";
import { connectDatabase } from "@partner-connect/database";
import { SecretUses } from "@partner-connect/directory";
import { connectRedis, createLogger, createMetrics } from "@partner-connect/service-runtime";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";

// The first half of `pnpm openapi`: the routes of this service. No store is needed.
const config = readConfig({
  PORT: "0",
  INTERNAL_PORT: "0",
  DATABASE_URL: "postgres://localhost/none",
  REDIS_URL: "redis://localhost",
  PUBLIC_BASE_URL: "http://localhost",
  SIGNING_KEYS_FILE: "none",
});
const logger = createLogger("openapi", "silent");
const sql = connectDatabase(config.env.DATABASE_URL, { name: "openapi" });
const redis = connectRedis(config.env.REDIS_URL, "openapi");
const positions = watchPositions(sql);
const app = await createApp({
  config,
  sql,
  pagesSql: sql,
  redis,
  signingKeys: {
    get current(): never {
      throw new Error("there are no keys");
    },
  },
  activity: new ActivityCounters(sql, logger),
  secretUses: new SecretUses(sql, logger),
  positions,
  logger,
  metrics: createMetrics(),
});
await app.ready();
writeDocument(app.swagger() as object as OpenApiDocument);
positions.close();
await app.close();
redis.disconnect();
await sql.end();
