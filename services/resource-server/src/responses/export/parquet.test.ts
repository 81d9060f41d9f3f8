import { RESPONSE_FIELDS } from "@partner-connect/survey-data";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ISSUER, type TestResourceServer, type TestShop, testResourceServer } from "../../testing.ts";
import { insertRows } from "../testing.ts";
import { ParquetFile } from "./parquet.ts";

const COUNT = 101_500;
const START = Date.parse("2025-01-01T00:00:00.000Z");
const ACCEPT = { accept: "application/vnd.apache.parquet", "accept-encoding": "gzip" };

let server: TestResourceServer;
let shop: TestShop;

beforeAll(async () => {
  server = await testResourceServer();
  shop = await server.newShop();
  const rows = Array.from({ length: COUNT }, (_, i) => ({
    id: `r${String(i).padStart(6, "0")}`,
    inserted_at: START + i,
    updated_at: START + i,
  }));
  await insertRows(server.owner, shop.id, rows);
});
afterAll(() => server.close());

const read = (file: ArrayBuffer): Promise<Record<string, unknown>[]> => parquetReadObjects({ file });

/** The file, what it says of the next one, and its records. */
async function exported(path: string) {
  const response = await server.get(path, shop.apiKey, ACCEPT);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, ACCEPT.accept]);
  expect(response.headers.get("content-encoding")).toBeNull();
  const file = await response.arrayBuffer();
  const { key_value_metadata = [], row_groups } = parquetMetadata(file);
  return { file, groups: row_groups, next: key_value_metadata.find(({ key }) => key === "next")?.value };
}

test("a Parquet file has at most 100,000 records in small row groups, and names the next one", async () => {
  const first = await exported("/api/responses?sort=inserted_at_asc&inserted_at_min=2025-01-01T00:00:00Z");
  const records = await read(first.file);
  expect(records.length).toBeGreaterThan(99_000);
  expect(records.length).toBeLessThanOrEqual(100_000);
  expect(Math.max(...first.groups.map(({ num_rows }) => Number(num_rows)))).toBeLessThanOrEqual(500);
  expect(first.next).toContain(`${ISSUER}/api/responses?sort=inserted_at_asc&inserted_at_min=`);
  const second = await exported((first.next ?? "").slice(ISSUER.length));
  expect(second.next).toBeUndefined();
  const ids = [...records, ...(await read(second.file))].map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: COUNT }, (_, i) => `r${String(i).padStart(6, "0")}`));
});

test("one that was cut off can't be read, and an empty one has its columns", async () => {
  const { file } = await exported("/api/responses?sort=inserted_at_asc&inserted_at_min=2025-01-01T00:01:41.000Z");
  expect(await read(file)).toHaveLength(500);
  await expect(async () => await read(file.slice(0, -1000))).rejects.toThrow(/parquet/i);
  const empty = await exported("/api/responses?question_id=9");
  expect(await read(empty.file)).toEqual([]);
  expect(
    parquetMetadata(empty.file)
      .schema.slice(1)
      .map(({ name }) => name),
  ).toEqual(RESPONSE_FIELDS.map(({ name }) => name));
});

test("values have their types, and each null is one", async () => {
  const records = [
    { id: "a", inserted_at: "2025-01-01T00:00:00.001Z", updated_at: "2025-01-02T00:00:00.999Z" },
    {
      ...{ id: "ü🎩", inserted_at: "1970-01-01T00:00:00.000Z", updated_at: "9999-12-30T00:00:00.000Z" },
      ...{ question_id: 9_007_199_254_740_991, response_id: -1, other: false, clarification_question: true },
      ...{ order_total: "-12.50", order_total_usd: "0.00000001", coupon_amount: "115.92", response: "" },
    },
  ];
  const file = new ParquetFile();
  const pieces = [...file.write(Buffer.from(records.map((record) => JSON.stringify(record)).join(",\n")))];
  const bytes = new Uint8Array(Buffer.concat([...pieces, file.end(null)]));
  const [first, second] = await read(bytes.buffer);
  const nulls = Object.fromEntries(RESPONSE_FIELDS.map(({ name }) => [name, null]));
  const times = (record: (typeof records)[number] | undefined) => ({
    inserted_at: new Date(record?.inserted_at ?? ""),
    updated_at: new Date(record?.updated_at ?? ""),
  });
  expect(first).toEqual({ ...nulls, id: "a", ...times(records[0]) });
  expect(second).toEqual({
    ...nulls,
    ...records[1],
    ...times(records[1]),
    question_id: 9_007_199_254_740_991n,
    response_id: -1n,
    clarification_question: "true",
    order_total: -12.5,
    order_total_usd: 0.00000001,
    coupon_amount: 115.92,
  });
});
