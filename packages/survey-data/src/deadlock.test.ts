import { connectDatabase } from "@partner-connect/database";
import { waitingSessions } from "@partner-connect/database/testing";
import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { expect, test } from "vitest";
import { importResponses } from "./import/import-records.ts";
import { ndjson, suiteSurvey } from "./testing.ts";

const survey = await suiteSurvey();
// A session checks for a deadlock once, after this time. The other session must wait by then.
const sql = survey.connect(survey.url, {
  name: "command",
  settings: { deadlock_timeout: "2500ms" },
});

const record = (id: string, response: string) => ({ id, question: "Who?", response });

/** Lets a hand-written deletion of `a` and `command` deadlock; Postgres aborts `command`. */
async function meetsADelete<T>(shopId: string, command: () => Promise<T>): Promise<T> {
  const hand = connectDatabase(survey.url, {
    name: "hand-written",
    connections: 1,
    settings: { deadlock_timeout: "60s" },
  });
  let running: Promise<T> | undefined;
  try {
    await hand.begin(async (inside) => {
      await inside`SELECT FROM survey.responses WHERE shop_id = ${shopId} AND id = 'a' FOR UPDATE`;
      running = command();
      running.catch(() => {});
      await expect.poll(() => waitingSessions(survey.sql), { interval: 1 }).toBe(1);
      await inside`DELETE FROM survey.responses WHERE shop_id = ${shopId} AND id = 'a'`;
    });
    return await (running as Promise<T>);
  } finally {
    await hand.end();
  }
}

test("an import that deadlocks with a hand-written DELETE completes without reading its file again", async () => {
  const shopId = await survey.shopWith(record("a", "TV"), record("b", "TV"));
  const lines = ndjson(record("a", "Radio"), record("b", "Radio"), record("c", "Radio")).values();
  const result = await meetsADelete(shopId, () =>
    importResponses(sql, { shopId, lines }, TEST_OPERATOR),
  );
  expect(result).toMatchObject({ records: 3, inserted: 2, updated: 1 });
  expect(await survey.responses(shopId)).toMatchObject(
    ["a", "b", "c"].map((id) => record(id, "Radio")),
  );
});
