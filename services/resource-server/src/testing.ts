import { setTimeout as sleep } from "node:timers/promises";
import { connectDatabase, type Queries } from "@partner-connect/database";
import {
  freshDatabase,
  requireOneShard,
  type TestDatabase,
} from "@partner-connect/database/testing";
import { createApiKey } from "@partner-connect/directory";
import {
  onboardClient,
  onboardMerchant,
  onboardShop,
  TEST_OPERATOR,
} from "@partner-connect/directory/testing";
import { connectRedis, createLogger, createMetrics } from "@partner-connect/service-runtime";
import { freshRedis, type TestRedis } from "@partner-connect/service-runtime/testing";
import { afterAll } from "vitest";
import { createApp } from "./app.ts";
import { Authenticator } from "./authentication/authenticate.ts";
import { readConfig } from "./config.ts";
import { openDatabases } from "./databases.ts";
import { Permits, type PermitsOptions, REQUEST_PERMITS } from "./http/permits.ts";
import { type TestIssuer, testIssuer } from "./testing/test-issuer.ts";
import { claimsOf, ISSUER, type TestShop } from "./testing/test-shop.ts";
import { Usage } from "./usage.ts";

export { ISSUER, type TestShop };

export type TestResourceServer = Awaited<ReturnType<typeof testResourceServer>>;

export interface TestResourceServerOptions {
  readonly apiRateLimit?: number;
  readonly redisUrl?: string;
  /** True if no server listens at the Redis URL. */
  readonly redisAway?: boolean;
  /** Milliseconds after which Redis counts as down. Default: more than a busy machine needs. */
  readonly redisSilence?: number;
  /** Default: silent. */
  readonly logLevel?: string;
  /** Milliseconds; default: more than a busy machine needs. */
  readonly statementTimeout?: number;
  readonly permits?: Partial<PermitsOptions>;
  /** Maps the database's URL to another one, such as that of a TCP proxy. */
  readonly databaseUrl?: (url: string) => string;
  /** Another replica, whose stores and keys this one uses. */
  readonly sharedWith?: {
    readonly database: TestDatabase;
    readonly testRedis: TestRedis;
    readonly issuer: TestIssuer;
  };
}

const AWAY = "redis://127.0.0.1:1";
const PATIENT_MS = 30_000;

/** Starts the service on a free port, with its own Postgres database, Redis database and issuer. */
export async function testResourceServer(options: TestResourceServerOptions = {}) {
  const { sharedWith } = options;
  const database = sharedWith?.database ?? (await freshDatabase(process.env["TEST_DATABASE_URL"]));
  if (!sharedWith) await requireOneShard(database);
  const testRedis = sharedWith?.testRedis ?? (await freshRedis(process.env["TEST_REDIS_URL"]));
  const issuer = sharedWith?.issuer ?? (await testIssuer());
  const config = readConfig({
    PORT: "0",
    INTERNAL_PORT: "0",
    DATABASE_URL: options.databaseUrl?.(database.resourceServerUrl) ?? database.resourceServerUrl,
    REDIS_URL: options.redisAway ? AWAY : (options.redisUrl ?? testRedis.url),
    PUBLIC_BASE_URL: ISSUER,
    JWKS_URL: issuer.url,
    API_RATE_LIMIT: String(options.apiRateLimit ?? 1_000_000),
  });

  const owner = connectDatabase(database.url, { name: "test owner" });
  const databases = openDatabases(config.env.DATABASE_URL, {
    statementTimeout: options.statementTimeout ?? PATIENT_MS,
  });
  const { reads: sql } = databases;
  const redis = connectRedis(config.env.REDIS_URL, "test", {
    silence: options.redisSilence ?? 10_000,
  });
  const authenticator = new Authenticator({ ...config.tokens, sql: databases.reads });
  authenticator.signingKeys.start();
  const permits = new Permits({ ...REQUEST_PERMITS, ...options.permits });
  const records: Record<string, unknown>[] = [];
  const logger = createLogger("test", options.logLevel ?? "silent", {
    write: (line) => records.push(JSON.parse(line)),
  });
  const usage = new Usage(databases.writes, logger);
  const metrics = createMetrics();
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
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const merchant = await onboardMerchant(owner);
  // As in production, requests come once Redis is ready, because earlier commands fail.
  while (!options.redisAway && redis.status !== "ready") await sleep(5);
  while (!authenticator.signingKeys.loaded) await sleep(5);

  return {
    /** A connection as the database's owner, for statements that the service may not execute. */
    owner,
    /** A connection with the service's role. */
    sql: sql as Queries,
    ...{ redis, issuer, database, testRedis, permits, usage, app, url },
    /** The service's log records; none by default (`logLevel`). */
    records,
    /** A shop with a connected client and an API key. */
    async newShop({
      plan,
      scope = ["responses:read", "sources:write"],
    }: {
      readonly plan?: string;
      readonly scope?: readonly string[];
    } = {}): Promise<TestShop> {
      const [id, { clientId }] = await Promise.all([
        onboardShop(owner, { ...(plan && { plan }) }),
        onboardClient(owner),
      ]);
      const [connection] = await owner<{ id: string }[]>`
        INSERT INTO oauth.connections (shop_id, client_id, status, grant_id, scope, merchant_id, connected_at)
        VALUES (${id}, ${clientId}, 'connected', 'grant', ${[...scope]}, ${merchant.id}, now()) RETURNING id`;
      const { id: apiKeyId, key: apiKey } = await createApiKey(owner, id, TEST_OPERATOR);
      const shop = { id, connectionId: connection?.id ?? "", apiKeyId, clientId, apiKey };
      return { ...shop, token: await issuer.sign(claimsOf(shop, { scope: scope.join(" ") })) };
    },
    claims: claimsOf,
    get: (
      path: string,
      authorization: string | null = null,
      headers: Record<string, string> = {},
    ) =>
      fetch(`${url}${path}`, {
        headers: { ...(authorization !== null && { authorization }), ...headers },
      }),
    async close(): Promise<void> {
      await app.close();
      authenticator.signingKeys.stop();
      await usage.close();
      await databases.end();
      await owner.end({ timeout: 1 });
      redis.disconnect();
      if (sharedWith) return;
      await issuer.close();
      await testRedis.drop();
      await database.drop();
    },
  };
}

/** Starts a fixture for the tests of a file; it closes after the last one. */
export async function suiteServer(
  options?: TestResourceServerOptions,
): Promise<TestResourceServer> {
  const server = await testResourceServer(options);
  afterAll(() => server.close());
  return server;
}
