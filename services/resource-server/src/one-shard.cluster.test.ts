import { SCOPES } from "@partner-connect/contract";
import { connectDatabase, type Sql } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "./authentication/caller.ts";
import { callerStateStatement } from "./authorization/caller-state.query.ts";
import type { Statement } from "./authorization/statement.ts";
import { readConnectionSql } from "./connection/read-connection.query.ts";
import { listDeletionsSql } from "./deleted-responses/list-deletions.query.ts";
import { listQuestionsSql } from "./questions/list-questions.query.ts";
import { SORTS, type SortName } from "./responses/list-parameters.ts";
import { listResponsesSql } from "./responses/list-responses.query.ts";
import { createSourceSql } from "./sources/create-source.query.ts";
import { claimKeySql, deleteExpiredSql, keepAnswerSql } from "./sources/idempotency-key.query.ts";
import { planOf } from "./testing/rows-touched.ts";

/**
 * Each statement names one shop, in everything that it reads and writes: on Citus the shop's node runs it as it is. Only what
 * stores the usage names several shops. Here Citus plans every shape; in all tests it refuses what asks several (`requireOneShard`).
 */
const onCitus = process.env["CITUS_URL"] !== undefined;

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  if (!onCitus) return;
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  sql = connectDatabase(database.resourceServerUrl, { name: "one shard", connections: 1 });
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

const CALLERS: readonly Caller[] = [
  { kind: "connection", id: "con_a", shopId: "shop_a", clientId: "client_a", generation: 1, scope: ["responses:read"] },
  { kind: "api_key", id: "key_a", shopId: "shop_a" },
];

/** How many shards each part of the plan asks: one part, one shard. */
async function tasks(statement: Statement): Promise<number[]> {
  const plan = await planOf(sql, statement);
  return plan.flatMap((line) => /Task Count: (\d+)/.exec(line)?.[1] ?? []).map(Number);
}

const AT = Date.parse("2026-05-04T03:02:01.000Z");
const RANGES = [null, AT].flatMap((min) => [null, AT].map((max) => ({ min, max })));
const CURSORS = [null, { direction: "forward", id: "r1" }, { direction: "backward", id: "r1" }] as const;
const KNOWN = [null, { at: AT, id: "r1" }];

describe.each(CALLERS)("on Citus (CITUS_URL), called by $kind", { skip: !onCitus }, (caller) => {
  test.each(Object.keys(SORTS) as SortName[])(
    "every page of responses in %s is one task of one shard",
    async (sort) => {
      for (const inserted_at of RANGES) {
        for (const updated_at of RANGES) {
          for (const cursor of CURSORS) {
            for (const position of cursor ? KNOWN : [null]) {
              const shape = { limit: 50, sort, cursor, ranges: { inserted_at, updated_at }, given: [] };
              expect([shape, await tasks(listResponsesSql(caller, shape, position))]).toEqual([shape, [1]]);
            }
          }
        }
      }
    },
  );

  test("every page of deletions and of questions is", async () => {
    for (const cursor of CURSORS) {
      const questions = { limit: 50, cursor: cursor && { ...cursor, id: "1" }, given: [] };
      expect([questions, await tasks(listQuestionsSql(caller, questions))]).toEqual([questions, [1]]);
      for (const range of RANGES) {
        for (const time of cursor ? [{}, { time: AT }] : [{}]) {
          const deletions = { limit: 50, cursor: cursor && { ...cursor, ...time }, range, given: [] };
          expect([deletions, await tasks(listDeletionsSql(caller, deletions))]).toEqual([deletions, [1]]);
        }
      }
    }
  });

  test("so is whatever writes a source, and whatever tells of the caller", async () => {
    const source = { name: "A", type: "tv", externalId: "e", url: null, aliases: ["a"] } as const;
    const once = { keyHash: Buffer.alloc(32), bodyHash: Buffer.alloc(32) };
    const statements = [
      createSourceSql(caller.shopId, source),
      createSourceSql(caller.shopId, { ...source, externalId: null }),
      claimKeySql(caller, once),
      deleteExpiredSql(caller),
      keepAnswerSql(caller, once, { status: 201, body: "{}" }),
      readConnectionSql(caller, 3600),
      ...SCOPES.map((scope) => callerStateStatement(caller, scope)),
    ];
    for (const statement of statements) {
      expect([statement.text, await tasks(statement)]).toEqual([statement.text, [1]]);
    }
  });
});
