import type { Sql } from "@partner-connect/database";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { createProductKey } from "@partner-connect/directory";
import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { createLogger, createMetrics } from "@partner-connect/service-runtime";
import type { FastifyInstance, InjectOptions } from "fastify";
import { afterAll } from "vitest";
import { createInternalApi } from "./internal-api.ts";

export interface TestInternalApi {
  /** A connection as the database's owner. */
  readonly owner: Sql;
  /** A connection with the back office's role. */
  readonly sql: Sql;
  readonly backOfficeUrl: string;
  readonly app: FastifyInstance;
  readonly key: string;
  /** A call with the key, unless `headers` has another. */
  call(method: string, url: string, body?: unknown, options?: InjectOptions): Promise<TestAnswer>;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it whole
  readonly body: any;
}

/** The internal API with a new database, for all tests of a file. */
export async function suiteInternalApi({ rateLimit = 1_000_000 } = {}): Promise<TestInternalApi> {
  const database = await suiteDatabase();
  const owner = database.connect(database.url, { name: "test owner", connections: 8 });
  const sql = database.connect(database.backOfficeUrl, { name: "internal API test", connections: 12 });
  const { key } = await createProductKey(owner, "survey", TEST_OPERATOR);
  const app = await internalApi(sql, rateLimit);
  afterAll(() => app.close());
  return { owner, sql, backOfficeUrl: database.backOfficeUrl, app, key, call: callerOf(app, key) };
}

export const internalApi = (sql: Sql, rateLimit = 1_000_000): Promise<FastifyInstance> =>
  createInternalApi({ sql, logger: createLogger("test", "silent"), metrics: createMetrics("test"), rateLimit });

export function callerOf(app: FastifyInstance, key: string | null): TestInternalApi["call"] {
  return async (method, url, body, { headers, ...options } = {}) => {
    const payload = body === undefined ? {} : { payload: body as object };
    const answer = await app.inject({
      ...{ method: method as "GET", url, ...payload, ...options },
      headers: key === null ? { ...headers } : { authorization: `Bearer ${key}`, ...headers },
    });
    const isJson = String(answer.headers["content-type"]).startsWith("application/json");
    return { status: answer.statusCode, headers: answer.headers, body: isJson ? answer.json() : answer.body };
  };
}
