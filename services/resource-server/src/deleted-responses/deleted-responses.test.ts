import { shopKeeper } from "@partner-connect/survey-data/testing";
import { expect, test } from "vitest";
import { seededRandom } from "../../../../test/harness/faults/random-faults.ts";
import { type ListPage, walkBothWays } from "../responses/testing.ts";
import { ISSUER, suiteServer, type TestShop } from "../testing.ts";

interface Deletion {
  readonly id: string;
  readonly deleted_at: string;
}

const server = await suiteServer();

function deletionsOf(of: TestShop) {
  const keeper = shopKeeper(server.owner);
  return {
    import: (...ids: readonly string[]) =>
      keeper.importInto(of.id, ...ids.map((id) => ({ id, question: "How?", response: "TV" }))),
    delete: (...ids: readonly string[]) => keeper.remove(of.id, ids),
    /** A page; `query` may be a link. */
    async page(query = ""): Promise<ListPage<Deletion>> {
      const path = query.startsWith(ISSUER)
        ? query.slice(ISSUER.length)
        : `/api/deleted-responses?${query}`;
      const response = await server.get(path, of.apiKey);
      expect([path, response.status]).toEqual([path, 200]);
      return (await response.json()) as ListPage<Deletion>;
    },
  };
}

const idsOf = ({ data }: Pick<ListPage<Deletion>, "data">): string[] => data.map(({ id }) => id);
const after = ({ id, deleted_at }: Deletion): string =>
  `starting_after=${id}&cursor_time=${deleted_at}`;

/** The ids in the order of deletion. The first three were deleted together. */
const ORDER = ["c", "d", 'é"\\', "a", "g", "b", "f"];
const shop = await server.newShop();
const deletions = deletionsOf(shop);
await deletions.import(...ORDER, "stays");
await deletions.delete('é"\\', "d", "c");
for (const id of ORDER.slice(3)) await deletions.delete(id);
const { data: all } = await deletions.page();
const at = (index: number): string => all[index]?.deleted_at ?? "";

test("the list of deletions is ordered by the time of the deletion, then by id", () => {
  expect(all.map(({ id }) => id)).toEqual(ORDER);
  const times = all.map(({ deleted_at }) => deleted_at);
  expect(times).toEqual(times.toSorted());
  expect(new Set(times).size).toBe(5);
  for (const time of times) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  for (const deletion of all) expect(Object.keys(deletion)).toEqual(["id", "deleted_at"]);
});

test("the list of deletions can be paged through by its links in both directions", async () => {
  const ways = await walkBothWays(`${ISSUER}/api/deleted-responses?limit=2`, deletions.page);
  expect(ways.map((data) => idsOf({ data }))).toEqual([ORDER, ORDER]);
});

test("a page of deletions before a cursor contains the nearest deletions and links with the given limit and bounds", async () => {
  const page = await deletions.page(`limit=2&ending_before=b&deleted_at_max=${at(6)}`);
  expect(idsOf(page)).toEqual(["a", "g"]);
  const given = `limit=2&deleted_at_max=${encodeURIComponent(at(6))}`;
  const url = `${ISSUER}/api/deleted-responses?${given}`;
  expect(page.prev).toBe(`${url}&ending_before=a&cursor_time=${encodeURIComponent(at(3))}`);
  expect(page.next).toBe(`${url}&starting_after=g&cursor_time=${encodeURIComponent(at(4))}`);
});

test("the list of deletions includes deletions at its time bounds, with and without a cursor", async () => {
  const bounded = async (query: string) => idsOf(await deletions.page(query));
  expect(await bounded(`deleted_at_min=${at(0)}&deleted_at_max=${at(0)}`)).toEqual(
    ORDER.slice(0, 3),
  );
  expect(await bounded(`deleted_at_min=${at(3)}`)).toEqual(ORDER.slice(3));
  expect(await bounded(`deleted_at_min=${at(3)}&starting_after=c`)).toEqual(ORDER.slice(3));
  expect(await bounded(`deleted_at_max=${at(4)}&starting_after=a`)).toEqual(["g"]);
  expect(await bounded(`deleted_at_min=${at(3)}&ending_before=b`)).toEqual(["a", "g"]);
  expect(await bounded(`deleted_at_min=${at(5)}&deleted_at_max=${at(3)}`)).toEqual([]);
  expect(await deletions.page("deleted_at_min=2999-01-01T00:00:00Z")).toEqual({
    data: [],
    prev: null,
    next: null,
  });
});

test.each([
  ["starting_after=stays", "starting_after"],
  ["starting_after=nobodys&cursor_time=2026-01-01T00:00:00Z", "starting_after"],
  ["starting_after=a&ending_before=b", "ending_before"],
  ["cursor_time=2026-01-01T00:00:00Z", "cursor_time"],
  ["deleted_at_min=2026-01-01", "deleted_at_min"],
])("the list of deletions refuses %s with 400 (param %s)", async (query, param) => {
  const response = await server.get(`/api/deleted-responses?${query}`, shop.apiKey);
  const body = { error: "invalid_request", error_description: expect.any(String), param };
  expect([response.status, await response.json()]).toEqual([400, body]);
});

test("another shop's deletions are not listed, and a cursor at another shop's deletion is refused like an unknown cursor", async () => {
  const other = await server.newShop();
  expect(await deletionsOf(other).page()).toEqual({ data: [], prev: null, next: null });
  const answers = ["a", "nobodys"].map(async (id) => {
    const response = await server.get(`/api/deleted-responses?starting_after=${id}`, other.apiKey);
    return [response.status, await response.json()];
  });
  const [theirs, unknown] = await Promise.all(answers);
  expect([theirs, theirs?.[0]]).toEqual([unknown, 400]);
});

test("a deleted record leaves the list of deletions when it is imported again, and reappears at the time of its next deletion", async () => {
  const deletions = deletionsOf(await server.newShop());
  await deletions.import("a", "b", "c");
  await deletions.delete("a", "b");
  const [a, b] = (await deletions.page()).data as [Deletion, Deletion];
  await deletions.import("a");
  expect(idsOf(await deletions.page())).toEqual(["b"]);
  for (const cursor of [after(a), "starting_after=a"]) {
    const page = await deletions.page(cursor);
    expect([idsOf(page), page.prev, page.next], "a valid cursor").toEqual([["b"], null, null]);
  }
  await deletions.delete("c");
  await deletions.delete("a");
  const { data } = await deletions.page();
  expect(data.map(({ id }) => id)).toEqual(["b", "c", "a"]);
  const times = data.map(({ deleted_at }) => deleted_at);
  expect(times).toEqual(times.toSorted());
  // With `cursor_time` a page starts where the record was shown, else where it is now.
  expect(idsOf(await deletions.page("starting_after=a"))).toEqual([]);
  expect(idsOf(await deletions.page("ending_before=a"))).toEqual(["b", "c"]);
  expect(idsOf(await deletions.page(after(a)))).toEqual(["b", "c", "a"]);
  expect(idsOf(await deletions.page(after(b)))).toEqual(["c", "a"]);
});

test("despite concurrent writers, a reader of the list of deletions gets the last deletion of each deleted record exactly once", async () => {
  const shop = await server.newShop();
  const deletions = deletionsOf(shop);
  const random = seededRandom(14);
  const ids = Array.from({ length: 24 }, (_, index) => `r${index}`);
  const some = () => ids.filter(() => random() < 0.3);
  await deletions.import(...ids);
  const copies = [1, 3].map((limit) => ({
    limit,
    seen: [] as Deletion[],
    last: null as Deletion | null,
  }));
  const follow = async (copy: (typeof copies)[number]): Promise<number> => {
    const cursor = copy.last ? `&${after(copy.last)}` : "";
    const { data } = await deletions.page(`limit=${copy.limit}${cursor}`);
    copy.seen.push(...data);
    copy.last = data.at(-1) ?? copy.last;
    return data.length;
  };
  let isWriting = true;
  const readers = copies.map(async (copy) => {
    while (isWriting) await follow(copy);
    while ((await follow(copy)) > 0);
  });
  const writers = Array.from({ length: 4 }, async () => {
    for (let turn = 0; turn < 12; turn++) {
      await deletions.delete(...some());
      await deletions.import(...some());
    }
  });
  await Promise.all(writers);
  isWriting = false;
  await Promise.all(readers);

  const { data } = await deletions.page("limit=1000");
  const live = await server.owner<
    { id: string }[]
  >`SELECT id FROM survey.responses WHERE shop_id = ${shop.id}`;
  expect([...idsOf({ data }), ...live.map(({ id }) => id)].toSorted()).toEqual(ids.toSorted());
  for (const { seen } of copies) {
    for (const deletion of data) expect(seen).toContainEqual(deletion);
    const times = seen.map(({ deleted_at }) => deleted_at);
    expect(times).toEqual(times.toSorted());
    expect(new Set(seen.map(({ id, deleted_at }) => `${id} ${deleted_at}`)).size).toBe(seen.length);
  }
});
