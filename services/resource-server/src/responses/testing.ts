import type { Sql } from "@partner-connect/database";
import { expect } from "vitest";

/** A response's fields that lists sort and filter by. Times are milliseconds since the epoch. */
export interface TestRow {
  readonly id: string;
  readonly inserted_at: number;
  readonly updated_at: number;
}

export interface ListedRecord {
  readonly id: string;
  readonly inserted_at: string;
  readonly updated_at: string;
}

export interface ListPage<Listed> {
  readonly data: readonly Listed[];
  readonly prev: string | null;
  readonly next: string | null;
}

export type ListBody = ListPage<ListedRecord>;

/** The records along `next`, and back along `prev`, which only the first page must lack. */
export async function walkBothWays<Listed>(
  first: string,
  page: (url: string) => Promise<ListPage<Listed>>,
) {
  const [forth, back]: [Listed[], Listed[]] = [[], []];
  let last = first;
  for (let url: string | null = first; url; ) {
    const { data, prev, next }: ListPage<Listed> = await page(url);
    expect(prev === null).toBe(forth.length === 0);
    forth.push(...data);
    last = url;
    url = next;
  }
  for (let url: string | null = last; url; ) {
    const { data, prev }: ListPage<Listed> = await page(url);
    back.unshift(...data);
    url = prev;
  }
  return [forth, back];
}

/** Rows `r0`, `r1` and so on, one millisecond apart. */
export const rowsFrom = (start: number, count: number): TestRow[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `r${i}`,
    inserted_at: start + i,
    updated_at: start + i,
  }));

/** Adds the rows to the shop, as a finished import would. Needs the owner's role. */
export async function insertRows(sql: Sql, shopId: string, rows: readonly TestRow[]) {
  for (let i = 0; i < rows.length; i += 5000) {
    const batch = rows.slice(i, i + 5000);
    await sql`
      INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
      SELECT ${shopId}, * FROM unnest(
        ${batch.map((row) => row.id)}::text[],
        ${batch.map((row) => new Date(row.inserted_at).toISOString())}::text[]::timestamptz[],
        ${batch.map((row) => new Date(row.updated_at).toISOString())}::text[]::timestamptz[],
        ${batch.map(documentOf)}::text[])`;
  }
}

function documentOf({ id, inserted_at, updated_at }: TestRow): string {
  const [inserted, updated] = [inserted_at, updated_at].map((time) => new Date(time).toISOString());
  return JSON.stringify({ id, inserted_at: inserted, updated_at: updated, response: "Podcast" });
}

/** Gives the rows this updated_at, as a recategorization would. Needs the owner's role. */
export async function touchRows(sql: Sql, shopId: string, ids: readonly string[], at: number) {
  const time = new Date(at).toISOString();
  await sql`
    UPDATE survey.responses SET updated_at = ${time}::timestamptz,
      doc = '{"id":"' || id || '","inserted_at":"' || survey.timestamp_text(inserted_at) || ${`","updated_at":"${time}","response":"Podcast"}`}
    WHERE shop_id = ${shopId} AND id = ANY (${[...ids]})`;
}
