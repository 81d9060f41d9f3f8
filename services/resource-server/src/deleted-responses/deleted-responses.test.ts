import { beforeAll, describe, expect, test } from "vitest";
import { ISSUER, suiteServer, type TestShop } from "../testing.ts";
import { type Deletion, deletionsOf, idsOf } from "./testing.ts";

const server = await suiteServer();
let shop: TestShop;
let deletions: ReturnType<typeof deletionsOf>;

/** In the order of their deletion. The first three went together. */
const ORDER = ["c", "d", 'é"\\', "a", "g", "b", "f"];
let all: readonly Deletion[];
const at = (index: number): string => all[index]?.deleted_at ?? "";

beforeAll(async () => {
  shop = await server.newShop();
  deletions = deletionsOf(server, shop);
  await deletions.import(...ORDER, "stays");
  await deletions.delete('é"\\', "d", "c");
  for (const id of ORDER.slice(3)) await deletions.delete(id);
  all = (await deletions.page()).data;
});

describe("the list of deletions", () => {
  test("names what was deleted, in the order of the deletion, ids within one deletion in theirs", () => {
    expect(all.map(({ id }) => id)).toEqual(ORDER);
    const times = all.map(({ deleted_at }) => deleted_at);
    expect(times).toEqual(times.toSorted());
    expect(new Set(times).size).toBe(5);
    for (const time of times) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    for (const deletion of all) expect(Object.keys(deletion)).toEqual(["id", "deleted_at"]);
  });

  test("is walked by its links in both directions", async () => {
    const forward: string[] = [];
    let last = "";
    for (let url: string | null = `${ISSUER}/api/deleted-responses?limit=2`; url; ) {
      const page = await deletions.page(url);
      expect(page.prev === null).toBe(forward.length === 0);
      forward.push(...idsOf(page));
      last = url;
      url = page.next;
    }
    expect(forward).toEqual(ORDER);
    const back: string[] = [];
    for (let url: string | null = last; url; ) {
      const page = await deletions.page(url);
      back.unshift(...idsOf(page));
      url = page.prev;
    }
    expect(back).toEqual(ORDER);
  });

  test("before a record has the nearest ones, in the list's order; links keep bounds and limit", async () => {
    const page = await deletions.page(`limit=2&ending_before=b&deleted_at_max=${at(6)}`);
    expect(idsOf(page)).toEqual(["a", "g"]);
    const given = `limit=2&deleted_at_max=${encodeURIComponent(at(6))}`;
    const url = `${ISSUER}/api/deleted-responses?${given}`;
    expect(page.prev).toBe(`${url}&ending_before=a&cursor_time=${encodeURIComponent(at(3))}`);
    expect(page.next).toBe(`${url}&starting_after=g&cursor_time=${encodeURIComponent(at(4))}`);
  });

  test("is bounded by inclusive times, of any precision and offset, with a cursor too", async () => {
    const bounded = async (query: string) => idsOf(await deletions.page(query));
    expect(await bounded(`deleted_at_min=${at(0)}&deleted_at_max=${at(0)}`)).toEqual(ORDER.slice(0, 3));
    expect(await bounded(`deleted_at_min=${at(3)}`)).toEqual(ORDER.slice(3));
    expect(await bounded(`deleted_at_max=${at(3).replace("Z", "999Z")}`)).toEqual(ORDER.slice(0, 4));
    expect(await bounded(`deleted_at_min=${at(3).replace("Z", "001Z")}`)).toEqual(ORDER.slice(4));
    expect(await bounded(`deleted_at_min=${at(3).replace("Z", "+00:00")}&starting_after=c`)).toEqual(ORDER.slice(3));
    expect(await bounded(`deleted_at_max=${at(4)}&starting_after=a`)).toEqual(["g"]);
    expect(await bounded(`deleted_at_min=${at(3)}&ending_before=b`)).toEqual(["a", "g"]);
    expect(await bounded(`deleted_at_min=${at(5)}&deleted_at_max=${at(3)}`)).toEqual([]);
    expect(await deletions.page("deleted_at_min=2999-01-01T00:00:00Z")).toEqual({ data: [], prev: null, next: null });
  });

  test.each([
    ["limit=0", "limit"],
    ["starting_after=nobodys", "starting_after"],
    ["starting_after=stays", "starting_after"],
    ["starting_after=nobodys&cursor_time=2026-01-01T00:00:00Z", "starting_after"],
    ["starting_after=a&ending_before=b", "ending_before"],
    ["cursor_time=2026-01-01T00:00:00Z", "cursor_time"],
    ["deleted_at_min=2026-01-01", "deleted_at_min"],
    ["deleted_at_max=x", "deleted_at_max"],
  ])("refuses %s, naming %s", async (query, param) => {
    const response = await server.get(`/api/deleted-responses?${query}`, shop.apiKey);
    const body = { error: "invalid_request", error_description: expect.any(String), param };
    expect([response.status, await response.json()]).toEqual([400, body]);
  });

  test("another shop's id is as unknown as nobody's, and its deletions are not shown", async () => {
    const other = await server.newShop();
    expect(await deletionsOf(server, other).page()).toEqual({ data: [], prev: null, next: null });
    const answers = ["a", "nobodys"].map(async (id) => {
      const response = await server.get(`/api/deleted-responses?starting_after=${id}`, other.apiKey);
      return [response.status, await response.json()];
    });
    const [theirs, unknown] = await Promise.all(answers);
    expect(theirs).toEqual(unknown);
  });
});
