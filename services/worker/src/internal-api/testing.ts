import type { Sql } from "@partner-connect/database";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { createProductKey } from "@partner-connect/directory";
import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { createLogger, createMetrics } from "@partner-connect/service-runtime";
import type { FastifyInstance, InjectOptions } from "fastify";
import { afterAll } from "vitest";
import { createInternalApi } from "./internal-api.ts";

/** The internal API on a new database, with database connections and a key's `call`, for a file. */
export async function suiteInternalApi({ rateLimit = 1_000_000 } = {}) {
  const { url, backOfficeUrl, connect } = await suiteDatabase();
  const owner = connect(url, { name: "test owner", connections: 8 });
  const sql = connect(backOfficeUrl, { name: "internal API test", connections: 12 });
  const { key } = await createProductKey(owner, "survey", TEST_OPERATOR);
  const app = await internalApi(sql, rateLimit);
  afterAll(() => app.close());
  return { owner, sql, backOfficeUrl, app, key, call: callerOf(app, key) };
}

export const internalApi = (sql: Sql, rateLimit = 1_000_000): Promise<FastifyInstance> =>
  createInternalApi({
    sql,
    logger: createLogger("test", "silent"),
    metrics: createMetrics("test"),
    rateLimit,
    refreshTokenTtl: 30 * 86_400,
  });

/** Calls with the key, unless `headers` has another. */
export function callerOf(app: FastifyInstance, key: string | null) {
  return async (
    method: string,
    url: string,
    body?: unknown,
    { headers, ...options }: InjectOptions = {},
  ) => {
    const payload = body === undefined ? {} : { payload: body as object };
    const answer = await app.inject({
      ...{ method: method as "GET", url, ...payload, ...options },
      headers: key === null ? { ...headers } : { authorization: `Bearer ${key}`, ...headers },
    });
    const isJson = String(answer.headers["content-type"]).startsWith("application/json");
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: isJson ? answer.json() : answer.body,
    };
  };
}
