import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Queries, type Sql, type Statement, transaction } from "@partner-connect/database";
import { shopIsBeingErased } from "../being-erased.ts";
import { DirectoryError } from "../directory-error.ts";

/** Maximum test shops of a client; each has a slot in the table. */
export const MAX_TEST_SHOPS = 5;

/** A shop of generated responses, which change each minute if its client used it within a day. */
export interface TestShop {
  readonly clientId: string;
  readonly shopId: string;
  readonly name: string;
  /** How many times the shop was filled or changed; 0 while it has no responses. */
  readonly steps: number;
  /** True while the test shop is being erased. */
  readonly isEnding: boolean;
  /** The pending change, and the name of the actor who requested it. */
  readonly change: TestShopChange | null;
  readonly changeBy: string | null;
  /**
   * The last completed change, and its number of responses. The number is 0 if there were none or,
   * for 'add', too many.
   */
  readonly lastChange: { readonly change: TestShopChange; readonly count: number } | null;
  /** Number of responses after the last step. */
  readonly responses: number;
}

/** A change of a test shop's responses that a partner requests. The back office makes it. */
export const TEST_SHOP_CHANGES = ["add", "recategorize", "delete"] as const;
export type TestShopChange = (typeof TEST_SHOP_CHANGES)[number];

/**
 * Stores a shop as a test shop in the client's lowest free slot, adds the job that fills it, and
 * makes the client's members its members. The caller has locked the client, so concurrent calls get
 * different slots. @throws {DirectoryError} TOO_MANY_TEST_SHOPS
 */
export async function addTestShop(sql: Queries, clientId: string, shopId: string): Promise<void> {
  const rows = await sql<{ slot: number }[]>`
    SELECT slot FROM directory.test_shops WHERE client_id = ${clientId}`;
  const taken = new Set(rows.map(({ slot }) => slot));
  const slot = Array.from({ length: MAX_TEST_SHOPS }, (_, index) => index + 1).find(
    (each) => !taken.has(each),
  );
  if (slot === undefined) {
    const problem = `${clientId} has ${MAX_TEST_SHOPS} test shops: delete one`;
    throw new DirectoryError("TOO_MANY_TEST_SHOPS", problem);
  }
  await sql`INSERT INTO directory.test_shops (client_id, slot, shop_id) VALUES (${clientId}, ${slot}, ${shopId})`;
  await addTestShopJob(sql, shopId);
  await sql`
    INSERT INTO directory.memberships (shop_id, merchant_id)
    SELECT ${shopId}, merchant_id FROM directory.client_members WHERE client_id = ${clientId} ON CONFLICT DO NOTHING`;
}

/**
 * Adds a job for the back office to fill, change or erase the test shop, as its row requests. Call
 * it in the transaction that writes the row.
 */
const addTestShopJob = async (sql: Queries, shopId: string) =>
  void (await sql`SELECT oauth.add_test_shop_job(${shopId})`);

/** Makes a new member of the client a member of the client's test shops. Index: test_shops_pkey. */
export async function addToTestShops(sql: Queries, clientId: string, merchantId: string) {
  await sql`
    INSERT INTO directory.memberships (shop_id, merchant_id)
    SELECT shop_id, ${merchantId} FROM directory.test_shops
    WHERE client_id = ${clientId} AND NOT ${shopIsBeingErased(sql)} ON CONFLICT DO NOTHING`;
}

/** Removes a merchant who left the client from the client's test shops. Index: test_shops_pkey. */
export async function removeFromTestShops(sql: Queries, clientId: string, merchantId: string) {
  await sql`
    DELETE FROM directory.memberships WHERE merchant_id = ${merchantId}
      AND shop_id IN (SELECT shop_id FROM directory.test_shops WHERE client_id = ${clientId})`;
}

/** Index: test_shops_pkey. */
export async function testShopsOf(sql: Queries, clientId: string): Promise<TestShop[]> {
  return await testShops(sql, sql`t.client_id = ${clientId}`);
}

/** Null for any other shop. Waits for uncommitted changes of it. Index: test_shops_shop_id_key. */
export async function findTestShop(sql: Sql, shopId: string): Promise<TestShop | null> {
  return (await testShops(sql, sql`t.shop_id = ${shopId}`, sql`FOR SHARE OF t`))[0] ?? null;
}

/**
 * The test shops that have been filled and are not being erased. The table is small and read in
 * full.
 */
export async function filledTestShops(sql: Sql): Promise<TestShop[]> {
  return await testShops(sql, sql`t.steps > 0 AND t.ended_at IS NULL`);
}

async function testShops(sql: Queries, condition: Statement, lock = sql``): Promise<TestShop[]> {
  return await sql<TestShop[]>`
    SELECT t.client_id AS "clientId", t.shop_id AS "shopId", s.name, t.steps, t.ended_at IS NOT NULL AS "isEnding",
      t.change, t.change_by AS "changeBy", t.last_change AS "lastChange", t.responses
    FROM directory.test_shops t JOIN directory.shops s ON s.id = t.shop_id WHERE ${condition} ORDER BY t.client_id, t.slot ${lock}`;
}

/** Marks a test shop as ended, and adds the job that erases it. Idempotent. Index: test_shops_pkey. */
export async function endTestShop(
  sql: Queries,
  { clientId, shopId }: Pick<TestShop, "clientId" | "shopId">,
  actor: Actor,
): Promise<void> {
  await transaction(sql, async (tx) => {
    const { count } = await tx`
      UPDATE directory.test_shops SET ended_at = now()
      WHERE client_id = ${clientId} AND shop_id = ${shopId} AND ended_at IS NULL`;
    if (count === 0) return;
    await addTestShopJob(tx, shopId);
    await recordAudit(tx, { action: "shop_end_test", shopId, clientId }, actor);
  });
}

/**
 * Requests a change of the shop's responses, which is made within seconds. False if the shop has no
 * responses yet or is being erased, or another change is pending. Index: test_shops_pkey.
 */
export async function requestTestShopChange(
  sql: Queries,
  { clientId, shopId }: Pick<TestShop, "clientId" | "shopId">,
  change: TestShopChange,
  actor: Actor,
): Promise<boolean> {
  return await transaction(sql, async (tx) => {
    const { count } = await tx`
      UPDATE directory.test_shops SET change = ${change}, change_by = ${actor.name}
      WHERE client_id = ${clientId} AND shop_id = ${shopId} AND ended_at IS NULL AND steps > 0 AND change IS NULL`;
    if (count === 0) return false;
    await addTestShopJob(tx, shopId);
    const detail = { change };
    await recordAudit(tx, { action: "shop_change_test", shopId, clientId, detail }, actor);
    return true;
  });
}

/**
 * Records that the shop was filled or changed, and that the requested change `done` is complete.
 * Index: test_shops_shop_id_key.
 */
export async function recordTestShopStep(
  sql: Sql,
  shopId: string,
  responses: number,
  done: TestShop["lastChange"] = null,
): Promise<void> {
  const last = done && JSON.stringify(done);
  await sql`
    UPDATE directory.test_shops SET steps = steps + 1, responses = ${responses},
      last_change = coalesce(${last}::text::jsonb, last_change), change = nullif(change, ${done?.change ?? null})
    WHERE shop_id = ${shopId}`;
}
