import { waitingSessions } from "@partner-connect/database/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { inShopTransaction, takeStamp } from "./shop-transaction.ts";
import { suiteSurvey } from "./testing.ts";

const survey = await suiteSurvey();

async function stampOf(shopId: string, after?: string): Promise<number> {
  return await inShopTransaction(survey.sql, shopId, async (inside) =>
    (await takeStamp(inside, shopId, ["responses"], after)).getTime(),
  );
}

const answers = (ids: readonly string[], response: string) =>
  ids.map((id) => ({ id, question: "Who?", response }));

test("the stamps of a shop are distinct and close to the current time, even in quick succession", async () => {
  const shopId = await survey.newShop();
  const before = Date.now() - 1;
  const stamps = await Promise.all(Array.from({ length: 30 }, () => stampOf(shopId)));
  expect(new Set(stamps).size).toBe(30);
  expect(Math.min(...stamps)).toBeGreaterThanOrEqual(before);
  expect(Math.max(...stamps)).toBeLessThan(Date.now() + 100);
});

test("a stamp is later than the requested time and than the shop's previous stamp", async () => {
  const shopId = await survey.newShop();
  const ahead = Date.now() + 3_600_000;
  expect(await stampOf(shopId, new Date(ahead - 1).toISOString())).toBe(ahead);
  expect(await stampOf(shopId)).toBe(ahead + 1);
});

test("a stamp is later than the shop's earlier updated_at times, even of a deleted row from a faster clock", async () => {
  const shopId = await survey.newShop();
  const ahead = new Date(Date.now() + 3_600_000);
  await survey.sql`
    INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
    VALUES (${shopId}, 'from a faster clock', ${ahead}, ${ahead}, '{}')`;
  await survey.remove(shopId, ["from a faster clock"]);
  await survey.importInto(shopId, ...answers(["a"], "TV"));
  const [record] = await survey.responses(shopId);
  expect(Date.parse(String(record?.["updated_at"]))).toBeGreaterThan(ahead.getTime());
  expect(record?.["inserted_at"]).toBe(record?.["updated_at"]);
});

test("a transaction that takes a stamp waits only for the previous transaction of the same shop", async () => {
  const [shopId, other] = [await survey.newShop(), await survey.newShop()];
  const events: string[] = [];
  let waiting: Promise<unknown> | undefined;
  const first = inShopTransaction(survey.sql, shopId, async (inside) => {
    const stamp = await takeStamp(inside, shopId, ["responses"]);
    waiting = stampOf(shopId).then((next) => {
      expect(next).toBeGreaterThan(stamp.getTime());
      events.push("the next has its stamp");
    });
    await stampOf(other);
    events.push("another shop's writer did not wait");
    await expect.poll(() => waitingSessions(survey.sql)).toBeGreaterThan(0);
    events.push("the first is done");
  });
  await first;
  await waiting;
  expect(events).toEqual([
    "another shop's writer did not wait",
    "the first is done",
    "the next has its stamp",
  ]);
});

test("a reader that follows updated_at sees the last state of every row, despite concurrent writes", async () => {
  const ids = fc.uniqueArray(fc.constantFrom(..."abcdefghij"), { minLength: 1, maxLength: 5 });
  const write = fc.record({
    kind: fc.constantFrom("import", "recategorize", "delete"),
    ids,
    response: fc.string({ minLength: 1 }),
  });
  const writers = fc.array(fc.array(write, { minLength: 1, maxLength: 8 }), {
    minLength: 2,
    maxLength: 4,
  });
  const property = fc.asyncProperty(writers, async (plans) => {
    const shopId = await survey.newShop();
    let writing = true;
    const seen = new Map<string, string>();
    let last = { at: "-infinity", id: "" };
    const follow = async () => {
      const rows = await survey.sql<{ at: string; id: string; doc: string }[]>`
        SELECT survey.timestamp_text(updated_at) AS at, id, doc FROM survey.responses
        WHERE shop_id = ${shopId} AND (updated_at, id) > (${last.at}::text::timestamptz, ${last.id})
        ORDER BY updated_at, id LIMIT 3`;
      for (const row of rows) seen.set(row.id, row.doc);
      last = rows.at(-1) ?? last;
      return rows.length;
    };
    const reader = (async () => {
      while (writing) await follow();
      while ((await follow()) > 0);
    })();
    await Promise.all(
      plans.map(async (plan) => {
        for (const { kind, ids, response } of plan) {
          if (kind === "import") await survey.importInto(shopId, ...answers(ids, response));
          else if (kind === "delete") await survey.remove(shopId, ids);
          else await survey.recategorize(shopId, ids, `${response}!`);
        }
      }),
    );
    writing = false;
    await reader;
    const rows = await survey.sql<{ id: string; doc: string }[]>`
      SELECT id, doc FROM survey.responses WHERE shop_id = ${shopId}`;
    for (const { id, doc } of rows) expect(seen.get(id)).toBe(doc);
  });
  await fc.assert(property, { numRuns: 15 });
});
