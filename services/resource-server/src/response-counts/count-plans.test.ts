import { connectDatabase, type Sql } from "@partner-connect/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "../authentication/caller.ts";
import { rowsTouched } from "../testing/rows-touched.ts";
import { type TestResourceServer, testResourceServer } from "../testing.ts";
import { listCountsSql } from "./list-counts.query.ts";

const LIMIT = 50;

let server: TestResourceServer;
let sql: Sql;
let caller: Caller;

/** 1,000 days with 20 answers to 4 questions each. */
beforeAll(async () => {
  server = await testResourceServer();
  sql = connectDatabase(server.database.resourceServerUrl, { name: "plans", statementTimeout: 60_000 });
  const shop = await server.newShop();
  caller = { kind: "api_key", id: shop.apiKeyId, shopId: shop.id };
  await server.owner`INSERT INTO survey.stamps (shop_id, stamp, counted) VALUES (${shop.id}, now(), now())`;
  await server.owner`
    INSERT INTO survey.response_counts
    SELECT ${shop.id}, 'day', date '2024-01-01' + day, md5(question::text)::uuid, md5(response::text)::uuid, question, '""', '""', 1
    FROM generate_series(0, 999) AS day, generate_series(1, 4) AS question, generate_series(1, 5) AS response`;
  await server.owner`VACUUM ANALYZE survey.response_counts`;
});

afterAll(async () => {
  await sql?.end();
  await server?.close();
});

test("a page touches its rows and few more, whatever the bounds, the question and the cursor", async () => {
  const key = "7".repeat(32);
  const places = ["2023-01-01", "2024-06-01", "2026-09-01"].map((period) => ({
    period,
    questionKey: key,
    responseKey: key,
  }));
  for (const questionId of [null, 3, 9]) {
    for (const min of [null, "2024-03-01"]) {
      for (const max of [null, "2026-06-01"]) {
        for (const place of [null, ...places]) {
          for (const direction of ["forward", "backward"] as const) {
            const cursor = place && { direction, id: "" };
            const asked = { limit: LIMIT, unit: "day", min, max, questionId, cursor, place, given: [] } as const;
            const rows = await rowsTouched(sql, listCountsSql(caller, asked));
            expect([asked, rows <= LIMIT + 8 ? "few" : rows]).toEqual([asked, "few"]);
          }
        }
      }
    }
  }
});
