import type { Socket } from "node:net";
import postgres from "postgres";
import { expect, test } from "vitest";
import { suiteDatabase } from "../testing/suite.ts";

const database = await suiteDatabase();
const sql = database.open(database.url, { name: "raw rows test", connections: 1 });

/** Values of the rows, for each execution of the statement. */
async function read(text: string, values: string[]): Promise<(string | null)[][][]> {
  const times: (string | null)[][][] = [];
  for (let time = 0; time < 3; time++) {
    const rows = (await sql
      .unsafe(text, values, { prepare: true })
      .raw()) as unknown as (Buffer | null)[][];
    times.push(rows.map((row) => row.map((value) => value?.toString() ?? null)));
  }
  return times;
}

test("raw rows of text, number, boolean and date columns are the same at each execution of a statement", async () => {
  const text = [["é€💥\\", null, ""]];
  expect(await read("SELECT $1::text, null::text, ''", ["é€💥\\"])).toEqual([text, text, text]);
  const mixed = [["a", "7", "t", "2026-01-02"]];
  expect(await read("SELECT $1::text, 7, true, date '2026-01-02'", ["a"])).toEqual([
    mixed,
    mixed,
    mixed,
  ]);
  const numbers = [["1"], ["2"]];
  expect(await read("SELECT n FROM generate_series(1, $1::int) n", ["2"])).toEqual([
    numbers,
    numbers,
    numbers,
  ]);
});

test("large text arrives complete in raw rows", async () => {
  const [, , [[value] = []] = []] = await read("SELECT repeat($1::text, 1000000)", ["€"]);
  expect(value).toBe("€".repeat(1_000_000));
});

const BIND = 0x42;

/** The result format of each Bind in the bytes, which is its last field. */
function formats(bytes: Buffer): string[] {
  const found: string[] = [];
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (bytes[at] === BIND)
      found.push(bytes.readInt32BE(end - 4) === 0x00010001 ? "binary" : "text");
  }
  return found;
}

test("from a statement's second execution on, raw rows of only text columns are requested in binary", async () => {
  const written: Buffer[] = [];
  const onsocket = (socket: Socket) => {
    const write = socket.write.bind(socket) as (...chunk: unknown[]) => boolean;
    socket.write = (...chunk: unknown[]) => {
      written.push(Buffer.from(chunk[0] as Buffer));
      return write(...chunk);
    };
  };
  const own = postgres(database.url, {
    max: 1,
    fetch_types: false,
    onsocket,
  } as postgres.Options<never>);
  await own`SELECT 1`;
  for (const [text, later] of [
    ["SELECT $1::text, repeat('x', 3)", "binary"],
    ["SELECT $1::text, 7", "text"],
  ] as const) {
    written.length = 0;
    for (let time = 0; time < 3; time++) await own.unsafe(text, ["a"], { prepare: true }).raw();
    expect(formats(Buffer.concat(written))).toEqual(["text", later, later]);
    written.length = 0;
    await own.unsafe(text, ["a"], { prepare: true });
    expect(formats(Buffer.concat(written))).toEqual(["text"]);
  }
  await own.end();
});
