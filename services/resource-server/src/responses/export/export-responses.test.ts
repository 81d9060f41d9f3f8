import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { importResponses } from "@partner-connect/survey-data";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestResourceServer, type TestShop, testResourceServer } from "../../testing.ts";
import { insertRows, type ListedRecord, touchRows } from "../testing.ts";

let server: TestResourceServer;
let shop: TestShop;

const COUNT = 5300;
const START = Date.parse("2025-01-01T00:00:00.000Z");
const ids = Array.from({ length: COUNT }, (_, i) => `r${String(i).padStart(5, "0")}`);
const NDJSON = { accept: "application/x-ndjson" };

beforeAll(async () => {
  server = await testResourceServer();
  shop = await server.newShop();
  const rows = ids.map((id, i) => ({ id, inserted_at: START + i, updated_at: START + 10_000 - (i % 7) }));
  await insertRows(server.owner, shop.id, rows);
});

afterAll(() => server.close());

async function exported(query: string, headers: Record<string, string> = NDJSON): Promise<string[]> {
  const response = await server.get(`/api/responses${query}`, `Bearer ${shop.token}`, headers);
  expect(response.status).toBe(200);
  const text = await response.text();
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as ListedRecord).id);
}

describe("an export", () => {
  test("has everything in the active order, whatever the limit of a page", async () => {
    expect(await exported("?sort=inserted_at_asc&limit=3")).toEqual(ids);
    expect(await exported("")).toEqual(ids.toReversed());
    const byUpdate = ids.toSorted((a, b) => {
      const [i, j] = [Number(a.slice(1)), Number(b.slice(1))];
      return (j % 7) - (i % 7) || i - j;
    });
    expect(await exported("?sort=updated_at_asc")).toEqual(byUpdate);
  });

  test("keeps to the filters and goes on from any record that was received", async () => {
    expect(await exported("?sort=inserted_at_asc&starting_after=r01234")).toEqual(ids.slice(1235));
    expect(await exported("?sort=inserted_at_asc&inserted_at_min=2025-01-01T00:00:05.290Z")).toEqual(ids.slice(5290));
    expect(await exported("?sort=inserted_at_asc&starting_after=r05299")).toEqual([]);
  });

  test.each(["updated_at_asc", "updated_at_desc"])(
    "in %s is resumed exactly by the last record's id and time, however it moved; by its id alone, from where it stands now",
    async (sort) => {
      const own = await server.newShop();
      const rows = ids.slice(0, 3000).map((id, i) => ({ id, inserted_at: START + i, updated_at: START + i }));
      await insertRows(server.owner, own.id, rows);
      const ask = async (query: string): Promise<ListedRecord[]> => {
        const response = await server.get(`/api/responses?sort=${sort}${query}`, own.apiKey, NDJSON);
        expect(response.status).toBe(200);
        return (await response.text())
          .split("\n")
          .slice(0, -1)
          .map((line) => JSON.parse(line) as ListedRecord);
      };
      // Cut off in the middle; then its last whole record moves to the end.
      const received = (await ask("")).slice(0, 1500);
      const last = received.at(-1) as ListedRecord;
      await touchRows(server.owner, own.id, [last.id], START + 100_000);
      const rest = await ask(`&starting_after=${last.id}&cursor_time=${last.updated_at}`);
      const order = sort === "updated_at_asc" ? rows : rows.toReversed();
      const left = [...order.slice(1500).map(({ id }) => id), ...(sort === "updated_at_asc" ? [last.id] : [])];
      expect(rest.map(({ id }) => id)).toEqual(left);
      const byId = (await ask(`&starting_after=${last.id}`)).map(({ id }) => id);
      expect(byId).toEqual(
        sort === "updated_at_asc"
          ? []
          : rows
              .map(({ id }) => id)
              .filter((id) => id !== last.id)
              .toReversed(),
      );
    },
  );

  test.each(["inserted_at_asc", "inserted_at_desc"])(
    "in %s is resumed exactly by the last record's id and time, whatever was corrected",
    async (sort) => {
      const own = await server.newShop();
      const rows = ids.slice(0, 3000).map((id, i) => ({ id, inserted_at: START + i, updated_at: START + 100_000 }));
      await insertRows(server.owner, own.id, rows);
      const order = (sort === "inserted_at_asc" ? rows : rows.toReversed()).map(({ id }) => id);
      const [id = "", time] = [order[1499], START + (sort === "inserted_at_asc" ? 1499 : 1500)];
      await server.owner`UPDATE survey.responses SET inserted_at = ${new Date(START + 50_000).toISOString()} WHERE shop_id = ${own.id} AND id = ${id}`;
      for (const accept of ["application/x-ndjson", "text/csv"]) {
        const query = `/api/responses?sort=${sort}&starting_after=${id}&cursor_time=${new Date(time).toISOString()}`;
        const text = await (await server.get(query, own.apiKey, { accept })).text();
        const left = [...order.slice(1500), ...(sort === "inserted_at_asc" ? [id] : [])];
        expect(text.match(/\br0\d{4}\b/g)).toEqual(left);
      }
    },
  );

  test("leaves its last record behind: pages go on from that by its id alone, though it moved", async () => {
    const own = await server.newShop();
    const rows = ids.slice(0, 1200).map((id, i) => ({ id, inserted_at: START, updated_at: START + i }));
    await insertRows(server.owner, own.id, rows);
    const query = "/api/responses?sort=updated_at_asc";
    await (await server.get(query, own.apiKey, NDJSON)).text();
    await touchRows(server.owner, own.id, ["r00003"], START + 100_000);
    await touchRows(server.owner, own.id, ["r01199"], START + 100_001);
    await touchRows(server.owner, own.id, ["r00004"], START + 100_002);
    const page = await server.get(`${query}&starting_after=r01199`, own.apiKey);
    const { data } = (await page.json()) as { data: ListedRecord[] };
    expect(data.map(({ id }) => id)).toEqual(["r00003", "r01199", "r00004"]);
  });

  test.each(["zstd", "br", "gzip"])("is compressed by %s when that is asked for", async (coding) => {
    const headers = { ...NDJSON, "accept-encoding": coding };
    const response = await server.get("/api/responses?limit=1", shop.apiKey, headers);
    expect(response.headers.get("content-encoding")).toBe(coding);
    expect((await response.text()).split("\n")).toHaveLength(COUNT + 1);
  });

  test("as CSV has a header line, and every field of every record, quoted where needed", async () => {
    const quoted = await server.newShop();
    const record = { id: "a", question: "Who?", response: 'Said "hi", then\nleft', order_total: "12.50", other: true };
    await importResponses(server.owner, { shopId: quoted.id, lines: [`${JSON.stringify(record)}\n`] }, TEST_OPERATOR);
    const response = await server.get("/api/responses", quoted.apiKey, { accept: "text/csv" });
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    const text = await response.text();
    const [header = "", rest = ""] = text.split(/\r\n(.*)/s);
    expect(header).toMatch(/^id,inserted_at,updated_at,/);
    expect(rest).toMatch(/^a,\d{4}-/);
    expect(rest).toContain('"Said ""hi"", then\nleft"');
    expect(rest).toContain(",12.50,");
    expect(rest.endsWith("\r\n")).toBe(true);
    const fields = rest.replace(/"(?:[^"]|"")*"/s, "").split(",");
    expect(fields).toHaveLength(header.split(",").length);
  });

  test("as CSV has an apostrophe before what a spreadsheet would run, and leaves numbers and amounts as they are", async () => {
    const own = await server.newShop();
    const texts = ["=1+1", "+49 170", "-2+3", "-5", "@SUM(A1)", "\tx", '=HYPERLINK("http://x")', "a=b", "'=1", "plain"];
    const records = texts.map((response, i) => ({ id: `r${i}`, question: "Who?", response, submit_delta: -7 }));
    const amount = { id: "-1", question: "Who?", response: "x", order_total: "-12.50", order_number: "-12" };
    const lines = [...records, amount].map((record) => `${JSON.stringify(record)}\n`);
    await importResponses(server.owner, { shopId: own.id, lines }, TEST_OPERATOR);
    const response = await server.get("/api/responses", own.apiKey, { accept: "text/csv" });
    const [header = "", ...rows] = (await response.text()).split("\r\n").slice(0, -1);
    const names = header.split(",");
    const cell = (id: string, name: string): string | undefined =>
      rows
        .map((row) => row.match(/"(?:[^"]|"")*"|[^,]+|(?<=,)(?=,)|(?<=,)$/g) ?? [])
        .find(([first]) => first === id)
        ?.at(names.indexOf(name));
    expect(texts.map((_, i) => cell(`r${i}`, "response"))).toEqual([
      `"'=1+1"`,
      `"'+49 170"`,
      `"'-2+3"`,
      `"'-5"`,
      `"'@SUM(A1)"`,
      `"'\tx"`,
      `"'=HYPERLINK(""http://x"")"`,
      "a=b",
      "'=1",
      "plain",
    ]);
    expect(cell("r0", "submit_delta")).toBe("-7");
    const own1 = (name: string) => cell(`"'-1"`, name);
    expect([own1("order_total"), own1("order_number")]).toEqual(["-12.50", `"'-12"`]);
  });

  test("is asked for by name; everybody else gets a page of JSON", async () => {
    for (const accept of [
      "*/*",
      "application/json",
      "text/html,*/*;q=0.8",
      "application/x-ndjson;q=0.5, application/json",
      "x",
    ]) {
      const response = await server.get("/api/responses?limit=1", shop.apiKey, { accept });
      expect([accept, response.headers.get("content-type")]).toEqual([accept, "application/json; charset=utf-8"]);
    }
  });

  test("refuses what a page would refuse, and going backwards, before it begins", async () => {
    for (const [query, param] of [
      ["?starting_after=unknown", "starting_after"],
      ["?ending_before=r00001", "ending_before"],
      ["?limit=0", "limit"],
    ]) {
      const response = await server.get(`/api/responses${query}`, shop.apiKey, NDJSON);
      expect([response.status, await response.json()]).toMatchObject([400, { error: "invalid_request", param }]);
    }
  });

  test("is cut off, unfinished, when its caller is revoked meanwhile, and reads no further than they take", async () => {
    const large = await server.newShop();
    const rows = Array.from({ length: 40_000 }, (_, i) => ({
      id: `x${i}`,
      inserted_at: START + i,
      updated_at: START + i,
    }));
    await insertRows(server.owner, large.id, rows);
    await server.owner`UPDATE survey.responses SET doc = replace(doc, 'Podcast', ${"x".repeat(700)}) WHERE shop_id = ${large.id}`;
    const response = await server.get("/api/responses", `Bearer ${large.token}`, NDJSON);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await server.owner`UPDATE oauth.connections SET status = 'revoked' WHERE id = ${large.connectionId}`;
    const rest = async (): Promise<void> => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toThrow();
  });
});
