import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { approve } from "@partner-connect/connections";
import { ActivityCounters } from "@partner-connect/connections/activity";
import { noteRelay, watchPositions } from "@partner-connect/connections/changes";
import type { Plan, Scope } from "@partner-connect/contract";
import { connectDatabase } from "@partner-connect/database";
import { freshDatabase } from "@partner-connect/database/testing";
import { SecretUses } from "@partner-connect/directory";
import {
  onboardClient,
  onboardMerchant,
  onboardShop,
  REDIRECT_URI,
} from "@partner-connect/directory/testing";
import { connectRedis, createLogger, createMetrics } from "@partner-connect/service-runtime";
import { untilReady } from "@partner-connect/service-runtime/testing";
import { createSigningKeysFile, readSigningKeys } from "@partner-connect/signing-keys";
import { afterAll, expect } from "vitest";
import { createApp } from "../app.ts";
import { cachedClients } from "../clients/client-cache.ts";
import { readConfig } from "../config.ts";
import { authorizationCodes } from "../provider/authorization-codes.ts";
import { createProvider } from "../provider/provider.ts";
import { prepareKeys } from "../signing-keys/live-signing-keys.ts";

export { REDIRECT_URI, type RegisteredClient } from "@partner-connect/directory/testing";

export const BASE_URL = "https://connect.example";

export function authorizationUrl(clientId: string, change: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    scope: "responses:read",
    state: "a state",
    code_challenge: "a".repeat(43),
    code_challenge_method: "S256",
    ...change,
  });
  return `/oauth/api/authorize?${query}`;
}

export type Replicas = Awaited<ReturnType<typeof startReplicas>>;

export interface CodeOptions {
  readonly clientId: string;
  readonly shopId: string;
  readonly merchantId: string;
  readonly scope?: readonly Scope[];
  readonly redirectUri?: string;
}

export type IssuedTestCode = Awaited<ReturnType<Replicas["approveAndIssueCode"]>>;

/** Starts authorization servers. `deadline`: milliseconds until a silent store counts as down. */
export async function startReplicas(
  count: number,
  environment: Readonly<Record<string, string>> = {},
  redisUrl: string = process.env["TEST_REDIS_URL"] ?? "",
  deadline = 2000,
) {
  const database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-keys-"));
  const signingKeysFile = join(folder, "signing-keys.json");
  await createSigningKeysFile(signingKeysFile);
  const signingKeys = { current: prepareKeys(await readSigningKeys(signingKeysFile)) };
  const config = readConfig({
    PORT: "0",
    INTERNAL_PORT: "0",
    DATABASE_URL: database.authorizationServerUrl,
    REDIS_URL: redisUrl,
    PUBLIC_BASE_URL: BASE_URL,
    SIGNING_KEYS_FILE: signingKeysFile,
    AUTHORIZE_RATE_LIMIT: "1000000",
    TOKEN_RATE_LIMIT: "1000000",
    API_RATE_LIMIT: "1000000",
    LOG_LEVEL: "silent",
    ...environment,
  });
  const records: Record<string, unknown>[] = [];
  const logger = createLogger("test", config.env.LOG_LEVEL, {
    write: (line) => records.push(JSON.parse(line)),
  });
  const replicas = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const pool = (connections: number) =>
        connectDatabase(config.env.DATABASE_URL, {
          name: `test-${index}`,
          connections,
          statementTimeout: deadline,
          deadline,
        });
      const [sql, pagesSql] = [pool(4), pool(2)];
      const redis = connectRedis(config.env.REDIS_URL, `test-${index}`, { silence: deadline });
      const metrics = createMetrics();
      const activity = new ActivityCounters(sql, logger);
      const secretUses = new SecretUses(sql, logger);
      const positions = watchPositions(sql);
      const stores = { sql, pagesSql, redis, signingKeys };
      const app = await createApp({
        config,
        ...stores,
        activity,
        secretUses,
        positions,
        logger,
        metrics,
      });
      await app.ready();
      // Like the gateway with /readyz, send no request before the stores answer.
      await untilReady(redis);
      return { app, pools: [sql, pagesSql], redis, metrics, activity, secretUses, positions };
    }),
  );
  const sql = connectDatabase(database.url, { name: "test-owner" });
  const worker = connectDatabase(database.workerUrl, { name: "test-worker", connections: 1 });
  const round = noteRelay(worker);
  const redis = connectRedis(config.env.REDIS_URL, "test-owner");
  await untilReady(redis);
  const codes = authorizationCodes(
    createProvider({
      ...config.tokens,
      redis,
      clients: cachedClients(sql, new SecretUses(sql, logger)),
    }),
  );

  const [first] = replicas;
  if (!first) throw new Error("no replica");

  return {
    /** These belong to the first replica. */
    ...{ metrics: first.metrics, activity: first.activity, secretUses: first.secretUses },
    /** Wakes the first replica's long polls. */
    positions: first.positions,
    /** Relays changes to clients' feeds, as the worker does. */
    async relay(): Promise<void> {
      while ((await round()).notes > 0);
    },
    /** Authorization servers on the same stores, to be called through `inject`. */
    apps: replicas.map(({ app }) => app),
    /** A replica by its index. Default: the first. */
    app: (index = 0) => replicas[index]?.app ?? expect.fail("no replica"),
    /** A connection as the database's owner. */
    sql,
    redis,
    config,
    /** The replicas' log records; none by default (LOG_LEVEL). */
    records,
    registerClient: (options?: { scope?: Scope[]; grantTypes?: string[] }) =>
      onboardClient(sql, options),
    async registerShop(plan: Plan = "advanced_attribution") {
      const { id: merchantId } = await onboardMerchant(sql);
      return { shopId: await onboardShop(sql, { plan, merchants: [merchantId] }), merchantId };
    },
    async approveAndIssueCode(options: CodeOptions) {
      const {
        clientId,
        shopId,
        merchantId,
        scope = ["responses:read"],
        redirectUri = REDIRECT_URI,
      } = options;
      const grantId = randomBytes(16).toString("base64url");
      const actor = { name: `merchant:${merchantId}` };
      const approved = await approve(sql, { shopId, clientId, merchantId, grantId, scope }, actor);
      if (!approved) throw new Error("an operator holds the connection");
      const codeVerifier = randomBytes(32).toString("base64url");
      const codeChallenge = createHash("sha256").update(codeVerifier).digest("base64url");
      const code = randomBytes(32).toString("base64url");
      const ttl = config.tokens.authorizationCodeTtl;
      await codes.issue({
        clientId,
        redirectUri,
        codeChallenge,
        shopId,
        grantId,
        scope,
        code,
        ttl,
      });
      return { code, codeVerifier, grantId };
    },
    async stop(): Promise<void> {
      for (const { app, pools, redis, positions } of replicas) {
        positions.close();
        await app.close();
        redis.disconnect();
        await Promise.all(pools.map((each) => each.end({ timeout: 1 })));
      }
      redis.disconnect();
      await Promise.all([sql, worker].map((each) => each.end({ timeout: 1 })));
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts replicas for the tests of a file; they stop after the last one. */
export async function suiteReplicas(
  ...options: Parameters<typeof startReplicas>
): Promise<Replicas> {
  const replicas = await startReplicas(...options);
  afterAll(() => replicas.stop());
  return replicas;
}
