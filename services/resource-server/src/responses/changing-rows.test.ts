import { shopKeeper } from "@partner-connect/survey-data/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../test/harness/faults/random-faults.ts";
import { ISSUER, suiteServer, type TestShop } from "../testing.ts";
import { SORTS, type SortName } from "./list-parameters.ts";
import { insertRows, type ListBody, type ListedRecord, type TestRow } from "./testing.ts";

const START = Date.parse("2025-01-01T00:00:00.000Z");

const first = await suiteServer();
const replicas = [first, await suiteServer({ sharedWith: first })] as const;
const { owner } = first;
const keeper = shopKeeper(owner);

async function shopWith(count: number, seed: number): Promise<{ shop: TestShop; rows: TestRow[] }> {
  const random = seededRandom(seed);
  const shop = await first.newShop();
  const rows = Array.from({ length: count }, (_, i) => {
    const inserted = START + Math.floor(random() * 6) * 1000;
    return {
      id: `r${i}`,
      inserted_at: inserted,
      updated_at: inserted + Math.floor(random() * 3) * 1000,
    };
  });
  await insertRows(owner, shop.id, rows);
  // Adds the fields that a recategorization reads, as the importer stores them.
  await owner`
    UPDATE survey.responses SET doc = replace(doc, ',"response":"Podcast"}',
      ',"response_provided_at":null,"response":"Podcast","response_id":null,"other_response":null,"original_response":null,"clarification_question":null}')
    WHERE shop_id = ${shop.id}`;
  return { shop, rows };
}

/** Walks by `next` or the last id over the replicas in turn; `between` runs between pages. */
async function walk(
  shop: TestShop,
  query: string,
  between: (page: ListBody) => Promise<void>,
  byId = false,
): Promise<ListedRecord[]> {
  const shown: ListedRecord[] = [];
  let path: string | null = `/api/responses?${query}`;
  for (let pages = 0; path !== null; pages++) {
    if (pages > 400) throw new Error("the walk does not end");
    const replica = replicas[pages % 2] ?? first;
    const response = await replica.get(path, `Bearer ${shop.token}`);
    expect([path, response.status]).toEqual([path, 200]);
    const body = (await response.json()) as ListBody;
    shown.push(...body.data);
    await between(body);
    const last = body.data.at(-1);
    if (body.next === null || !last) path = null;
    else
      path = byId
        ? `/api/responses?${query}&starting_after=${encodeURIComponent(last.id)}`
        : body.next.slice(ISSUER.length);
  }
  return shown;
}

type Action = {
  readonly kind: "edge" | "some" | "delete" | "deleteEdge" | "correct" | "insert";
  readonly pick: number;
};

const actions = fc.array(
  fc.record({
    kind: fc.constantFrom(
      "edge",
      "edge",
      "some",
      "some",
      "delete",
      "deleteEdge",
      "correct",
      "insert",
    ),
    pick: fc.nat({ max: 1000 }),
  }) as fc.Arbitrary<Action>,
  { maxLength: 14 },
);

/** Changes the shop during a walk, and records which rows the walk may miss. */
function writerOf(shopId: string, rows: readonly TestRow[]) {
  const [changed, deleted] = [new Set<string>(), new Set<string>()];
  /** Rows whose `inserted_at` was changed. */
  const corrected = new Set<string>();
  let count = 0;
  const importOne = (record: object) =>
    keeper.importInto(shopId, { question: "Who?", response: "Friend", ...record });
  const recategorize = async (ids: readonly string[]) => {
    for (const id of ids) changed.add(id);
    await keeper.recategorize(shopId, ids, `Category ${++count}`);
  };
  const remove = async (ids: readonly string[]) => {
    for (const id of ids) deleted.add(id);
    await keeper.remove(shopId, ids);
  };
  async function act({ kind, pick }: Action, page: ListBody): Promise<void> {
    const some = rows.filter((_, i) => i % 7 === pick % 7).map(({ id }) => id);
    const edge = page.data.at(-1)?.id;
    if (kind === "some") await recategorize(some);
    else if (kind === "delete") await remove(some.slice(0, 3));
    else if (kind === "insert") await importOne({ id: `new${++count}` });
    else if (edge === undefined) return;
    else if (kind === "edge") await recategorize([edge]);
    else if (kind === "deleteEdge") await remove([edge]);
    else {
      corrected.add(edge);
      await importOne({ id: edge, inserted_at: new Date(START + (pick % 12) * 500).toISOString() });
    }
  }
  return { changed, deleted, corrected, act };
}

function expectNothingLost(
  sort: SortName,
  rows: readonly TestRow[],
  shown: readonly ListedRecord[],
  writer: ReturnType<typeof writerOf>,
) {
  const times = new Map<string, number>();
  for (const { id } of shown) times.set(id, (times.get(id) ?? 0) + 1);
  const { column, descending } = SORTS[sort];
  for (const { id } of rows) {
    if (writer.deleted.has(id) || writer.corrected.has(id)) continue;
    if (column === "inserted_at" || !writer.changed.has(id))
      expect([id, times.get(id)]).toEqual([id, 1]);
    else if (!descending) expect([id, (times.get(id) ?? 0) >= 1]).toEqual([id, true]);
  }
}

describe.each(Object.keys(SORTS) as SortName[])("paging in %s while records change", (sort) => {
  test.each([false, true])(
    "a reader misses no record and reaches the end (paging by the last record's id: %s)",
    async (byId) => {
      const property = fc.asyncProperty(
        actions,
        fc.integer({ min: 1, max: 9 }),
        fc.nat(),
        fc.constantFrom(
          "",
          "&inserted_at_min=2025-01-01T00:00:01Z",
          "&inserted_at_max=2025-01-01T00:00:04Z",
        ),
        async (todo, limit, seed, filter) => {
          const { shop, rows } = await shopWith(40, seed);
          const matching = rows.filter(
            ({ inserted_at }) =>
              (!filter.includes("min") || inserted_at >= START + 1000) &&
              (!filter.includes("max") || inserted_at <= START + 4000),
          );
          const writer = writerOf(shop.id, rows);
          const startedAt = Date.now();
          // Without cursor_time a corrected inserted_at moves the walk, as it moves the record.
          const left = todo.filter(({ kind }) => kind !== "correct" || !byId);
          const query = `sort=${sort}&limit=${limit}${filter}`;
          const shown = await walk(
            shop,
            query,
            async (page) => {
              for (const action of left.splice(0, 2)) await writer.act(action, page);
            },
            byId,
          );
          expectNothingLost(sort, matching, shown, writer);
          if (sort !== "updated_at_desc") return;
          // Rows that changed and were not shown are at the head of the next walk.
          const next = await walk(shop, query, async () => {});
          const heads = next
            .filter((record) => Date.parse(record.updated_at) >= startedAt)
            .map(({ id }) => id);
          const ids = new Set([...shown.map(({ id }) => id), ...heads]);
          const due = matching.filter(
            ({ id }) => !writer.deleted.has(id) && !writer.corrected.has(id),
          );
          for (const { id } of due) expect([id, ids.has(id)]).toEqual([id, true]);
        },
      );
      await fc.assert(property, { numRuns: process.env["TEST_NIGHTLY"] ? 25 : 8 });
    },
    120_000,
  );
});
