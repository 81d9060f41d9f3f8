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

  test("of a question or an option has theirs alone, and an unknown id none, also in an export", async () => {
    const own = await server.newShop();
    const stored = [
      ["a", 1, 11],
      ["b", 1, 12],
      ["c", 2, 11],
      ["d", 1, null],
    ] as const;
    const rows = stored.map(([id, question_id, response_id], i) => ({
      ...{ id, question_id, response_id },
      ...{ inserted_at: AT + i, updated_at: AT + i },
    }));
    await insertRows(server.owner, own.id, rows);
    const get = async (query: string, accept = "application/json") =>
      await server.get(`/api/responses?${query}`, own.apiKey, { accept });
    const page = async (query: string) => (await (await get(query)).json()) as ListBody;
    expect(ids(await page("question_id=1"))).toBe("d b a");
    expect(ids(await page("response_id=11&sort=updated_at_asc"))).toBe("a c");
    expect(ids(await page("question_id=2&response_id=11"))).toBe("c");
    for (const none of ["question_id=3", "response_id=0", "question_id=2&response_id=12"]) {
      expect(await page(none)).toEqual({ data: [], prev: null, next: null });
    }
    const { next } = await page("limit=1&question_id=1&response_id=11&starting_after=d");
    expect(next).toBeNull();
    expect((await page("limit=1&question_id=1")).next).toContain("?limit=1&question_id=1&starting_after=d&");
    expect((await (await get("question_id=1", "application/x-ndjson")).text()).trim().split("\n")).toHaveLength(3);
    const tag = (await get("question_id=1")).headers.get("etag") ?? "";
    const headers = { "if-none-match": tag };
    expect((await server.get("/api/responses?question_id=1", own.apiKey, headers)).status).toBe(304);
    expect((await server.get("/api/responses?question_id=2", own.apiKey, headers)).status).toBe(200);
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

  test("says 304 to who has it, and is sent again once a record changed", async () => {
    const fresh = await server.newShop();
    await insertRows(server.owner, fresh.id, [{ id: "a", inserted_at: AT, updated_at: AT }]);
    const first = await server.get("/api/responses", fresh.apiKey);
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^W\/"/);
    const again = await server.get("/api/responses", fresh.apiKey, { "if-none-match": `"x", ${tag}` });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    await server.owner`UPDATE survey.responses SET doc = replace(doc, 'Podcast', 'Radio') WHERE shop_id = ${fresh.id}`;
    expect((await server.get("/api/responses", fresh.apiKey, { "if-none-match": tag })).status).toBe(200);
    await server.owner`UPDATE directory.api_keys SET revoked_at = now() WHERE id = ${fresh.apiKeyId}`;
    expect((await server.get("/api/responses", fresh.apiKey, { "if-none-match": "*" })).status).toBe(401);
  });

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
