import { createServer, type Server } from "node:http";
import { connectDatabase, type Sql } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { createApiKey } from "@partner-connect/directory";
import { onboardClient, onboardMerchant, onboardShop } from "@partner-connect/directory/testing";
import { connectRedis, createLogger, type Redis, startInternalServer } from "@partner-connect/service-runtime";
import { freshRedis, type TestRedis } from "@partner-connect/service-runtime/testing";
import type { FastifyInstance } from "fastify";
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWK, SignJWT } from "jose";
import { AnswerMemory } from "./answers/answer-memory.ts";
import { createApp } from "./app.ts";
import { Authenticator } from "./authentication/authenticate.ts";
import { readConfig } from "./config.ts";
import { openDatabases } from "./stores/open-databases.ts";

export const ISSUER = "https://connect.example";
export const AUDIENCE = `${ISSUER}/api`;

/** An authorization server's keys on a real port, and tokens that they sign. */
export interface TestIssuer {
  readonly url: string;
  /** How often the keys were asked for. */
  readonly fetches: number;
  /** Keys served from now on. */
  rotate(kid: string, options?: { readonly alg?: "EdDSA" | "ES256"; readonly keep?: boolean }): Promise<void>;
  /** Answers nothing from now on, until it is back. */
  away(away: boolean): void;
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

export async function testIssuer(): Promise<TestIssuer> {
  let keys: JWK[] = [];
  let active: { kid: string; alg: string; privateKey: GenerateKeyPairResult["privateKey"] } | undefined;
  let fetches = 0;
  let isAway = false;
  const server: Server = createServer((_request, response) => {
    fetches++;
    if (isAway) return void response.destroy();
    response.setHeader("content-type", "application/json").end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const issuer: TestIssuer = {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/jwks`,
    get fetches() {
      return fetches;
    },
    async rotate(kid, { alg = "EdDSA", keep = false } = {}) {
      const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
      keys = [...(keep ? keys : []), { ...(await exportJWK(publicKey)), kid, alg, use: "sig" }];
      active = { kid, alg, privateKey };
    },
    away(away) {
      isAway = away;
    },
    async sign(claims, header = {}) {
      if (!active) throw new Error("no key");
      const { kid, alg, privateKey } = active;
      return await new SignJWT(claims).setProtectedHeader({ alg, typ: "at+jwt", kid, ...header }).sign(privateKey);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  await issuer.rotate("key-1");
  return issuer;
}

export interface TestShop {
  readonly id: string;
  readonly connectionId: string;
  readonly clientId: string;
  readonly apiKeyId: string;
  /** A valid access token of the connection. */
  readonly token: string;
  /** A valid API key of the shop. */
  readonly apiKey: string;
}

export interface TestResourceServer {
  /** As the database's owner, for what the service itself may not do. */
  readonly owner: Sql;
  /** As the service. */
  readonly sql: Sql;
  readonly redis: Redis;
  readonly issuer: TestIssuer;
  readonly database: TestDatabase;
  readonly testRedis: TestRedis;
  readonly answers: AnswerMemory;
  readonly app: FastifyInstance;
  readonly url: string;
  /** A shop with a connected client and an API key. */
  newShop(options?: { readonly plan?: string; readonly scope?: readonly string[] }): Promise<TestShop>;
  /** The claims of a valid token of the shop's connection. */
  claims(shop: Pick<TestShop, "id" | "connectionId" | "clientId">, claims?: object): Record<string, unknown>;
  get(path: string, authorization?: string | null, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

export interface TestResourceServerOptions {
  readonly apiRateLimit?: number;
  readonly redisUrl?: string;
  /** The issuer doesn't answer yet. */
  readonly issuerAway?: boolean;
  /** Milliseconds. */
  readonly statementTimeout?: number;
  /** Milliseconds. */
  readonly stallMs?: number;
  /** Bytes. */
  readonly answerMemory?: number;
  /** Another way to the database. */
  readonly databaseUrl?: (url: string) => string;
  /** Milliseconds since the epoch, of what the memory of walks counts. */
  readonly now?: () => number;
  /** Another replica of this one: the same stores and keys. */
  readonly sharedWith?: TestResourceServer;
}

/** The service on a port of its own, with a Postgres database, a Redis database and an issuer of its own. */
export async function testResourceServer(options: TestResourceServerOptions = {}): Promise<TestResourceServer> {
  const { sharedWith } = options;
  const database = sharedWith?.database ?? (await freshDatabase(process.env["TEST_DATABASE_URL"]));
  const testRedis = sharedWith?.testRedis ?? (await freshRedis(process.env["TEST_REDIS_URL"]));
  const owner = connectDatabase(database.url, { name: "test owner" });
  const databases = openDatabases(
    options.databaseUrl?.(database.resourceServerUrl) ?? database.resourceServerUrl,
    options.statementTimeout,
  );
  const { sql } = databases;
  const redis = connectRedis(options.redisUrl ?? testRedis.url, "test", { silence: 500 });
  const issuer = sharedWith?.issuer ?? (await testIssuer());
  if (options.issuerAway) issuer.away(true);
  const authenticator = new Authenticator({
    issuer: ISSUER,
    audience: AUDIENCE,
    jwksUrl: issuer.url,
    database: databases.reads,
  });
  authenticator.keys.start();
  const internal = await startInternalServer({ host: "127.0.0.1", port: 0, checks: {} });
  const config = readConfig({
    PORT: "0",
    INTERNAL_PORT: "0",
    DATABASE_URL: database.resourceServerUrl,
    REDIS_URL: testRedis.url,
    PUBLIC_BASE_URL: ISSUER,
    JWKS_URL: issuer.url,
    API_RATE_LIMIT: String(options.apiRateLimit ?? 1_000_000),
  });
  const { memoryBytes, stallSeconds } = config.answers;
  const answers = new AnswerMemory(options.answerMemory ?? memoryBytes);
  const app = await createApp({
    config: { ...config, answers: { memoryBytes, stallSeconds: (options.stallMs ?? stallSeconds * 1000) / 1000 } },
    databases,
    redis,
    authenticator,
    answers,
    logger: createLogger("test", "silent"),
    durations: internal.durations,
    ...(options.now && { now: options.now }),
  });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const merchant = await onboardMerchant(owner);

  const server: TestResourceServer = {
    owner,
    sql,
    redis,
    issuer,
    database,
    testRedis,
    answers,
    app,
    url,
    async newShop({ plan, scope = ["responses:read", "sources:write"] } = {}) {
      const [id, { clientId }] = await Promise.all([
        onboardShop(owner, { ...(plan && { plan }) }),
        onboardClient(owner),
      ]);
      const [connection] = await owner<{ id: string }[]>`
        INSERT INTO oauth.connections (shop_id, client_id, status, grant_id, scope, merchant_id, connected_at)
        VALUES (${id}, ${clientId}, 'connected', 'grant', ${[...scope]}, ${merchant.id}, now()) RETURNING id`;
      const { id: apiKeyId, key: apiKey } = await createApiKey(owner, id);
      const shop = { id, connectionId: connection?.id ?? "", apiKeyId, clientId, apiKey };
      return { ...shop, token: await issuer.sign(server.claims(shop, { scope: scope.join(" ") })) };
    },
    claims(shop, claims = {}) {
      const now = Math.floor(Date.now() / 1000);
      return {
        iss: ISSUER,
        aud: AUDIENCE,
        sub: shop.id,
        client_id: shop.clientId,
        scope: "responses:read sources:write",
        jti: "token",
        iat: now,
        exp: now + 900,
        connection_id: shop.connectionId,
        grant_id: "grant",
        generation: 1,
        ...claims,
      };
    },
    get: (path, authorization = null, headers = {}) =>
      fetch(`${url}${path}`, { headers: { ...(authorization !== null && { authorization }), ...headers } }),
    async close() {
      await app.close();
      authenticator.keys.stop();
      await internal.close();
      await databases.end();
      await owner.end({ timeout: 1 });
      redis.disconnect();
      if (sharedWith) return;
      await issuer.close();
      await testRedis.drop();
      await database.drop();
    },
  };
  return server;
}
