import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ISSUER, type TestResourceServer, type TestShop, testResourceServer } from "../testing.ts";
import { insertRows, type ListBody } from "./testing.ts";

let server: TestResourceServer;
let shop: TestShop;

const AT = Date.parse("2025-03-04T05:06:07.089Z");

beforeAll(async () => {
  server = await testResourceServer();
  shop = await server.newShop();
  const rows = Array.from({ length: 9 }, (_, i) => ({ id: `r${i}`, inserted_at: AT + i, updated_at: AT + i }));
  await insertRows(server.owner, shop.id, rows);
});

afterAll(() => server.close());

async function list(query: string): Promise<ListBody> {
  const response = await server.get(`/api/responses${query}`, shop.apiKey);
  expect(response.status).toBe(200);
  return (await response.json()) as ListBody;
}

const ids = ({ data }: ListBody): string => data.map((record) => record.id).join(" ");

describe("a page of responses", () => {
  test("is newest first, in the one envelope, with its records as they are stored", async () => {
    const response = await server.get("/api/responses?limit=1", shop.apiKey);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await response.text()).toBe(
      '{"data":[{"id":"r8","inserted_at":"2025-03-04T05:06:07.097Z","updated_at":"2025-03-04T05:06:07.097Z","response":"Podcast"}],' +
        `"prev":null,"next":"${ISSUER}/api/responses?limit=1&starting_after=r8&cursor_time=2025-03-04T05%3A06%3A07.097Z"}`,
    );
  });

  test("before a record has the nearest ones, in the sort's order", async () => {
    expect(ids(await list("?limit=2&ending_before=r3"))).toBe("r5 r4");
    expect(ids(await list("?limit=2&sort=inserted_at_asc&ending_before=r3"))).toBe("r1 r2");
  });

  test("that is empty has no neighbours", async () => {
    expect(await list("?starting_after=r0")).toEqual({ data: [], prev: null, next: null });
    expect(await list("?inserted_at_min=2026-01-01T00:00:00Z")).toEqual({ data: [], prev: null, next: null });
    expect(await list("?inserted_at_min=2025-06-01T00:00:00Z&inserted_at_max=2025-01-01T00:00:00Z")).toEqual({
      data: [],
      prev: null,
      next: null,
    });
  });

  test("links to its neighbours on the public base with canonical names and everything that was given", async () => {
    const headers = { host: "evil.example", "x-forwarded-host": "evil.example" };
    const query = "?after=r6&until=2025-03-04T07:06:07.095+02:00&limit=2&sort=inserted_at_desc&x=1";
    const response = await server.get(`/api/responses${query}`, shop.apiKey, headers);
    const given = "limit=2&sort=inserted_at_desc&inserted_at_max=2025-03-04T07%3A06%3A07.095%2B02%3A00";
    const body = (await response.json()) as ListBody;
    expect(ids(body)).toBe("r5 r4");
    expect(body.prev).toBe(
      `${ISSUER}/api/responses?${given}&ending_before=r5&cursor_time=2025-03-04T05%3A06%3A07.094Z`,
    );
    expect(body.next).toBe(
      `${ISSUER}/api/responses?${given}&starting_after=r4&cursor_time=2025-03-04T05%3A06%3A07.093Z`,
    );
  });

  test("is reached by ids of exactly 64 characters, whatever their bytes", async () => {
    const long = await server.newShop();
    const names = ["a".repeat(64), "b".repeat(64), "😀".repeat(64)];
    await insertRows(
      server.owner,
      long.id,
      names.map((id, i) => ({ id, inserted_at: AT + i, updated_at: AT + i })),
    );
    for (const sort of ["inserted_at_asc", "updated_at_asc"]) {
      for (const [i, id] of names.entries()) {
        const url = (name: string) => `/api/responses?sort=${sort}&${name}=${encodeURIComponent(id)}`;
        const [after, before] = [
          await server.get(url("starting_after"), long.apiKey),
          await server.get(url("ending_before"), long.apiKey),
        ];
        expect([after.status, ids((await after.json()) as ListBody)]).toEqual([200, names.slice(i + 1).join(" ")]);
        expect([before.status, ids((await before.json()) as ListBody)]).toEqual([200, names.slice(0, i).join(" ")]);
      }
    }
  });

  test.each([
    ["sort=updated_at_asc&inserted_at_max", 5],
    ["sort=inserted_at_desc&updated_at_min", 20],
  ])("has no prev where an unchanged record that %s excludes is the cursor", async (query, bound) => {
    const own = await server.newShop();
    await insertRows(server.owner, own.id, [
      { id: "changed", inserted_at: AT, updated_at: AT + 30 },
      { id: "unchanged", inserted_at: AT + 10, updated_at: AT + 10 },
    ]);
    const url = `/api/responses?${query}=${new Date(AT + bound).toISOString()}&starting_after=unchanged`;
    const page = (await (await server.get(url, own.apiKey)).json()) as ListBody;
    expect([ids(page), page.prev]).toEqual(["changed", null]);
  });

  describe.each(["inserted_at", "updated_at"])("sorted by %s", (column) => {
    const other = column === "inserted_at" ? "updated_at" : "inserted_at";
    let own: TestShop;
    beforeAll(async () => {
      own = await server.newShop();
      // Even ones changed.
      const rows = Array.from({ length: 6 }, (_, i) => ({
        id: `r${i}`,
        inserted_at: AT + 10 * i,
        updated_at: AT + 10 * i + (i % 2 ? 0 : 5),
      }));
      await insertRows(server.owner, own.id, rows);
    });

    test.each([column, other])(
      "has no prev where only records outside of the filter on %s precede",
      async (filtered) => {
        for (const [sort, bound, cursor, expected] of [
          ["asc", "min", "r1", "r2 r3 r4 r5"],
          ["asc", "min", "r0", "r2 r3 r4 r5"],
          ["desc", "max", "r5", "r3 r2 r1 r0"],
          ["desc", "max", "r4", "r3 r2 r1 r0"],
        ] as const) {
          const time = new Date(AT + (bound === "min" ? 20 : 35)).toISOString();
          const page = async (name: string, id: string): Promise<ListBody> => {
            const query = `sort=${column}_${sort}&${filtered}_${bound}=${time}&${name}=${id}`;
            return (await (await server.get(`/api/responses?${query}`, own.apiKey)).json()) as ListBody;
          };
          const outside = await page("starting_after", cursor);
          expect([sort, ids(outside), outside.prev]).toEqual([sort, expected, null]);
          const [first = "", second = "", third = ""] = expected.split(" ");
          const inside = await page("starting_after", first);
          expect([ids(inside), inside.prev !== null]).toEqual([expected.slice(3), true]);
          const back = await page("ending_before", third);
          expect([ids(back), back.prev]).toEqual([`${first} ${second}`, null]);
        }
      },
    );
  });

  test("is found by a time taken from a record, as either bound", async () => {
    for (const bound of ["inserted_at", "updated_at"]) {
      const time = "2025-03-04T05:06:07.092Z";
      expect(ids(await list(`?${bound}_min=${time}&${bound}_max=${time}`))).toBe("r3");
    }
  });

  test("can't be reached by a cursor that the shop never had; another shop's is just as unknown", async () => {
    const other = await server.newShop();
    await insertRows(server.owner, other.id, [{ id: "theirs", inserted_at: AT, updated_at: AT }]);
    for (const name of ["starting_after", "ending_before"]) {
      for (const sort of ["inserted_at_desc", "updated_at_asc"]) {
        const answers = await Promise.all(
          ["theirs", "nobodys"].map(async (id) => {
            const response = await server.get(`/api/responses?sort=${sort}&${name}=${id}`, shop.apiKey);
            return [response.status, await response.json()];
          }),
        );
        expect(answers[0]).toEqual(answers[1]);
        expect(answers[0]).toMatchObject([400, { error: "invalid_request", param: name }]);
      }
    }
  });

  test.each(["application/x-ndjson", "text/csv", "application/vnd.apache.parquet", "text/html"])(
    "is JSON also for who accepts %s alone, and has no tag",
    async (accept) => {
      const answer = await server.get("/api/responses", shop.apiKey, { accept });
      expect([answer.status, answer.headers.get("content-type"), answer.headers.get("etag")]).toEqual([
        200,
        "application/json; charset=utf-8",
        null,
      ]);
      expect(((await answer.json()) as ListBody).data.length).toBeGreaterThan(0);
    },
  );

  test.each(["zstd", "br", "gzip"])("is compressed by %s when that is asked for, and is the same", async (coding) => {
    const large = await server.newShop();
    const rows = Array.from({ length: 100 }, (_, i) => ({ id: `r${i}`, inserted_at: AT + i, updated_at: AT + i }));
    await insertRows(server.owner, large.id, rows);
    const plain = await server.get("/api/responses", large.apiKey, { "accept-encoding": "identity" });
    expect(plain.headers.get("content-encoding")).toBeNull();
    const response = await server.get("/api/responses", large.apiKey, { "accept-encoding": `${coding}, x;q=0.5` });
    expect(response.headers.get("content-encoding")).toBe(coding);
    expect(response.headers.get("vary")).toContain("accept-encoding");
    expect(await response.text()).toBe(await plain.text());
  });
});

test("a page of large records ends at 16 MB, and next and prev lead on to all others", async () => {
  const large = await server.newShop();
  const ids = Array.from({ length: 300 }, (_, i) => `r${String(i).padStart(3, "0")}`);
  await server.owner`
    INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
    SELECT ${large.id}, id, at, at,
      format('{"id":%1$s,"inserted_at":"%2$s","updated_at":"%2$s","response":"%3$s"}', to_json(id), survey.timestamp_text(at), repeat('x', 130000))
    FROM unnest(${ids}::text[]) AS id, (SELECT timestamptz '2025-01-01T00:00:00Z' AS at) time`;
  for (const [link, first, order] of [
    ["next", "sort=inserted_at_asc", ids],
    ["prev", "sort=inserted_at_asc&ending_before=r299", ids.slice(0, -1).toReversed()],
  ] as const) {
    const seen: string[] = [];
    const lengths: number[] = [];
    for (let path: string | null = `/api/responses?limit=1000&${first}`; path !== null; ) {
      const text: string = await (await server.get(path, large.apiKey)).text();
      const page = JSON.parse(text) as ListBody;
      const pageIds = page.data.map(({ id }) => id);
      seen.push(...(link === "prev" ? pageIds.toReversed() : pageIds));
      lengths.push(text.length);
      path = page[link]?.slice(ISSUER.length) ?? null;
    }
    expect(seen).toEqual(order);
    expect(lengths.map((length) => Math.ceil(length / 2 ** 20))).toEqual([16, 16, 6]);
  }
});
