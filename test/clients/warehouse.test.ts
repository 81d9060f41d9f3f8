import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard } from "../harness/actors/onboarding.ts";
import { partner } from "../harness/actors/partner.ts";
import { mainStack } from "../harness/stack/stacks.ts";
import { linesOf, madeUpLines, recordsOf, type ShopKeeper, shopKeeper } from "./sdk/sync-world.ts";
import { warehouseFolder } from "./warehouse-folder.ts";

const stack = mainStack();
let folder: string;
let people: Onboarded;
let accessToken: string;
let shop: ShopKeeper;

beforeAll(async () => {
  people = await onboard(stack);
  accessToken = (await partner(stack, people.client).connect(merchantBrowser(people.merchant), people.shop))
    .accessToken;
  shop = shopKeeper(stack);
  folder = await warehouseFolder(stack.base_url);
});
afterAll(async () => {
  await shop.close();
  await rm(folder, { recursive: true });
});

/** Runs the page's program once more. */
async function load(): Promise<void> {
  const env = { ...process.env, ACCESS_TOKEN: accessToken, NODE_NO_WARNINGS: "1" };
  await promisify(execFile)(process.execPath, ["warehouse.ts"], { cwd: folder, env });
}

/** Of each record what a warehouse adds up and groups by, as the warehouse and as the API has it. */
async function inWarehouse(): Promise<unknown[]> {
  const instance = await DuckDBInstance.create(join(folder, "warehouse.duckdb"), { access_mode: "READ_ONLY" });
  const connection = await instance.connect();
  const columns = "id, response, epoch_ms(updated_at)::DOUBLE AS at, order_total_usd::VARCHAR AS usd";
  const reader = await connection.runAndReadAll(`SELECT ${columns} FROM responses ORDER BY id`);
  connection.closeSync();
  instance.closeSync();
  return reader.getRowObjects();
}

async function inApi(): Promise<unknown[]> {
  const records = [...(await recordsOf(stack, `Bearer ${accessToken}`)).values()] as Record<string, string | null>[];
  const cents = (money: string | null) =>
    money === null ? null : `${money}${"0".repeat(8 - (money.split(".")[1] ?? "").length)}`;
  return records
    .map(({ id, response, updated_at, order_total_usd }) => ({
      id,
      response,
      at: Date.parse(String(updated_at)),
      usd: cents(order_total_usd ?? null),
    }))
    .toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
}

test("the guide's program loads a shop into DuckDB, then what is new, changed and deleted, and amounts stay exact", async () => {
  const lines = madeUpLines(300, "warehouse");
  const ids = lines.map((line) => String(JSON.parse(line).id));
  await shop.import(people.shop.id, lines);
  await load();
  expect(await inWarehouse()).toEqual(await inApi());

  const exact = { question: "Why?", response: "Radio", order_total_usd: "123456789012345678.12345678" };
  await shop.import(people.shop.id, linesOf([{ id: "res_new", ...exact }]));
  await shop.recategorize(people.shop.id, ids.slice(0, 20), "Billboard");
  await shop.delete(people.shop.id, ids.slice(10, 40));
  await load();
  const loaded = await inWarehouse();
  expect(loaded).toEqual(await inApi());
  expect(loaded).toHaveLength(271);
  expect(loaded).toContainEqual(expect.objectContaining({ id: "res_new", usd: exact.order_total_usd }));

  await load();
  expect(await inWarehouse(), "nothing was new").toEqual(loaded);
});
