import { expect, test } from "vitest";
import { seededRandom } from "../../../../test/harness/faults/random-faults.ts";
import type { Caller } from "../authentication/caller.ts";
import { listResponsesSql } from "../responses/list-responses.query.ts";
import { suiteServer } from "../testing.ts";
import { type Page, Pages } from "./page.ts";
import type { Cursor } from "./page-parameters.ts";

const COUNT = 60;
/** Maximum bytes of a record: pages come in several chunks, some with one record. */
const LONGEST = 60_000;
const START = Date.parse("2025-01-01T00:00:00.000Z");
const ids = Array.from({ length: COUNT }, (_, i) => `r${i}`);

const server = await suiteServer();
const pages = new Pages({ sql: server.sql, usage: server.usage, publicApiUrl: "" });
const shop = await server.newShop();
const caller: Caller = { kind: "api_key", id: shop.apiKeyId, shopId: shop.id };
const random = seededRandom(7);
const fillings = ids.map(() => "x".repeat(Math.floor(random() ** 2 * (LONGEST - 150))));
await server.owner`INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
    SELECT ${shop.id}, id, at, at,
      format('{"id":%1$s,"inserted_at":"%2$s","updated_at":"%2$s","response":"%3$s"}', to_json(id), survey.timestamp_text(at), filling)
    FROM unnest(${ids}::text[], ${fillings}::text[]) WITH ORDINALITY AS row (id, filling, i),
      LATERAL (SELECT ${new Date(START).toISOString()}::timestamptz + i * interval '1 second' AS at) time`;

async function pageFrom(cursor: Cursor | null, limit: number, mostBytes: number): Promise<Page> {
  const ranges = { inserted_at: { min: null, max: null }, updated_at: { min: null, max: null } };
  const parameters = {
    limit,
    mostBytes,
    cursor,
    sort: "inserted_at_asc",
    ranges,
    given: [],
  } as const;
  return await pages.read(listResponsesSql(caller, parameters), parameters);
}

test.each(["after", "before"] as const)(
  "the pages %s a cursor contain each record once, although each page stays below the byte limit",
  async (side) => {
    const ends = new Set<string>();
    for (let mostBytes = LONGEST; mostBytes < 6 * LONGEST; mostBytes += 4001) {
      const limit = 2 + (mostBytes % 19);
      const seen: string[] = side === "after" ? [] : ["r59"];
      for (let id = seen[0]; ; ) {
        const page: Page = await pageFrom(
          id === undefined ? null : { name: side, side, id },
          limit,
          mostBytes,
        );
        const bytes = Buffer.concat(page.records);
        const records = JSON.parse(`[${bytes}]`) as { id: string }[];
        expect([records.length, records.length > 0]).toEqual([page.count, true]);
        expect(bytes.length).toBeLessThan(mostBytes);
        const read = records.map((record) => record.id);
        expect([page.edges?.first.id, page.edges?.last.id]).toEqual([read[0], read.at(-1)]);
        if (side === "after") seen.push(...read);
        else seen.unshift(...read);
        if (!(side === "after" ? page.edges?.hasNext : page.edges?.hasPrev)) break;
        ends.add(page.count === limit ? "limit" : "bytes");
        id = side === "after" ? read.at(-1) : read[0];
      }
      expect(seen).toEqual(ids);
    }
    expect([...ends].toSorted()).toEqual(["bytes", "limit"]);
  },
);
