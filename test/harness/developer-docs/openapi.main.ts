import { ActivityCounters } from "@partner-connect/connections/activity";
import { watchPositions } from "@partner-connect/connections/changes";
import { connectDatabase } from "@partner-connect/database";
import { SecretUses } from "@partner-connect/directory";
import { connectRedis, createLogger, createMetrics } from "@partner-connect/service-runtime";
import {
  type DescribedDocument,
  writeDocument,
} from "../../../packages/contract/src/openapi/index.ts";
import { createApp as authorizationServer } from "../../../services/authorization-server/src/app.ts";
import { readConfig } from "../../../services/authorization-server/src/config.ts";
import { createApp as resourceServer } from "../../../services/resource-server/src/app.ts";
import { Authenticator } from "../../../services/resource-server/src/authentication/authenticate.ts";
import { readConfig as readApiConfig } from "../../../services/resource-server/src/config.ts";
import { Permits, REQUEST_PERMITS } from "../../../services/resource-server/src/http/permits.ts";
import { Usage } from "../../../services/resource-server/src/usage.ts";

// `pnpm openapi` runs this: it writes the document of both services' routes, without a store.
const logger = createLogger("openapi", "silent");
const sql = connectDatabase("postgres://localhost/none", { name: "openapi" });
const redis = connectRedis("redis://localhost", "openapi");
const positions = watchPositions(sql);
const environment = {
  PORT: "0",
  INTERNAL_PORT: "0",
  DATABASE_URL: "postgres://localhost/none",
  REDIS_URL: "redis://localhost",
  PUBLIC_BASE_URL: "http://localhost",
  SIGNING_KEYS_FILE: "none",
  JWKS_URL: "http://localhost",
};
const config = readApiConfig(environment);
const apps = await Promise.all([
  authorizationServer({
    config: readConfig(environment),
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
  }),
  resourceServer({
    config,
    databases: { reads: sql, writes: sql, end: () => sql.end() },
    redis,
    authenticator: new Authenticator({ ...config.tokens, sql }),
    permits: new Permits(REQUEST_PERMITS),
    usage: new Usage(sql, logger),
    logger,
    metrics: createMetrics(),
  }),
]);
const documents: DescribedDocument[] = [];
for (const app of apps) {
  await app.ready();
  documents.push(app.swagger() as object as DescribedDocument);
  await app.close();
}
writeDocument(documents);
positions.close();
redis.disconnect();
await sql.end();
