import type { Sql } from "@partner-connect/database";
import { hashCredential, newCredential } from "@partner-connect/directory";

/** An API key of each. */
export interface NeighbourShops {
  /** Whose waits are looked at. */
  readonly victim: string;
  /** As large as each of the many. */
  readonly hog: string;
  /** A page of 1,000 records has 42 MB. */
  readonly large: string;
  readonly many: readonly string[];
}

const MANY = 48;
const RECORDS = 2000;
const BYTES = 1000;
const LARGE_RECORDS = 1000;
const LARGE_BYTES = 42_000;

export async function makeShops(sql: Sql): Promise<NeighbourShops> {
  const shop = async (name: string, records = RECORDS, bytes = BYTES): Promise<string> => {
    const id = `shop_bench_${name}`;
    const key = newCredential("pck");
    await sql`INSERT INTO directory.shops (id, name, plan) VALUES (${id}, ${name}, 'standard')`;
    await sql`INSERT INTO directory.api_keys (shop_id, key_hash) VALUES (${id}, ${hashCredential(key)}::bytea)`;
    // Text that isn't compressed: Postgres would spend its time on that.
    await sql`INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
      SELECT ${id}, 'r' || i, at, at,
        format('{"id":%1$s,"inserted_at":"%2$s","updated_at":"%2$s","response":"%3$s"}', '"r' || i || '"', survey.timestamp_text(at), text)
      FROM generate_series(1, ${records}::int) i,
        LATERAL (SELECT timestamptz '2025-01-01T00:00:00Z' + i * interval '1 minute' AS at) time,
        LATERAL (SELECT string_agg(md5(i::text || n::text), '') AS text FROM generate_series(1, ${Math.floor((bytes - 120) / 32)}::int) n) filling`;
    return key;
  };
  const many: string[] = [];
  for (let n = 0; n < MANY; n++) many.push(await shop(`${n}`));
  const shops = {
    victim: await shop("victim"),
    hog: await shop("hog"),
    large: await shop("large", LARGE_RECORDS, LARGE_BYTES),
    many,
  };
  await sql`VACUUM (ANALYZE) survey.responses`;
  return shops;
}
