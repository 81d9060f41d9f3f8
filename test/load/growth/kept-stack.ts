import { randomBytes } from "node:crypto";
import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { changeDatabaseUrl, connectDatabase, type Sql } from "@partner-connect/database";
import { type LocalStack, removeData, type Store, startLocalStack, startPostgres } from "@partner-connect/local-stack";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import {
  type MerchantAccount,
  onboardClient,
  onboardMerchant,
  onboardShop,
  type PartnerClient,
  type ShopRecord,
} from "../../harness/actors/onboarding.ts";
import { partner } from "../../harness/actors/partner.ts";
import { fillTable } from "./fill.ts";

const ROOT = fileURLToPath(new URL("../../../.data/bench-growth/", import.meta.url));
export const folderOf = (millions: number): string => join(ROOT, String(millions));
const DATABASE = "partner_connect";

/** For a server of this size. Autovacuum is off, so that each state is measured as it is. All others are Postgres's defaults. */
const SETTINGS = { shared_buffers: "2GB", max_wal_size: "4GB", checkpoint_timeout: "30min", autovacuum: "off" };
/** Postgres then keeps no log of a table that is filled in the transaction that emptied it. */
const WHILE_FILLING = { wal_level: "minimal", max_wal_senders: "0" };

const ENV = {
  AUTHORIZATION_SERVER_REPLICAS: "1",
  RESOURCE_SERVER_REPLICAS: "1",
  API_RATE_LIMIT: "100000000000",
  ACCESS_TOKEN_TTL_SECONDS: "86400",
  LOG_LEVEL: "warn",
};

/** What was made with the data. */
interface Kept {
  readonly password: string;
  readonly merchant: MerchantAccount;
  readonly client: PartnerClient;
  readonly largest: ShopRecord;
  readonly small: ShopRecord;
}

export interface MeasuredShop {
  readonly id: string;
  readonly accessToken: string;
}

/** The stack on a filled table, with one replica of each service. */
export interface GrowthStack {
  readonly count: number;
  /** As the database's owner. */
  readonly sql: Sql;
  readonly databaseUrl: string;
  /** The resource server itself, without the gateway. */
  readonly apiUrl: string;
  readonly postgresLog: string;
  readonly largest: MeasuredShop;
  readonly small: MeasuredShop;
  stop(): Promise<void>;
}

const keptFile = (millions: number): string => join(folderOf(millions), "kept.json");

export async function isFilled(millions: number): Promise<boolean> {
  return await access(keptFile(millions)).then(
    () => true,
    () => false,
  );
}

/** Makes the table, in a Postgres of its own under `.data/bench-growth`. */
export async function makeTable(millions: number, report: (line: string) => void): Promise<void> {
  const dataDir = folderOf(millions);
  await removeData(join(dataDir, "store")).catch(() => {});
  await removeData(dataDir);
  await mkdir(dataDir, { recursive: true });
  const password = randomBytes(24).toString("base64url");
  await onOwnPostgres(millions, password, async (sql) => {
    await sql`CREATE DATABASE ${sql(DATABASE)}`;
    await alterSystem(sql, { ...SETTINGS, ...WHILE_FILLING });
  });
  const store = await openPostgres(millions, password);
  try {
    const url = changeDatabaseUrl(store.url, { database: DATABASE });
    const place = { dataDir };
    const stack = await startLocalStack({ dataDir, env: { ...ENV, DATABASE_URL: url } });
    const merchant = await onboardMerchant(place);
    const client = await onboardClient(place, { scope: "responses:read" });
    const [largest, small] = [await onboardShop(place, merchant), await onboardShop(place, merchant)];
    await stack.stop();
    const sql = connectDatabase(url, { name: "test", connections: 1 });
    await fillTable(sql, { largest: largest.id, small: small.id }, millions * 1_000_000, report);
    await alterSystem(sql, { wal_level: null, max_wal_senders: null });
    await sql.end();
    const kept: Kept = { password, merchant, client, largest, small };
    await writeFile(keptFile(millions), JSON.stringify(kept));
  } finally {
    await store.stop();
  }
}

/** The Postgres of the table, without services. */
async function openPostgres(millions: number, password?: string): Promise<Store> {
  const known = password ?? (await readKept(millions)).password;
  return await startPostgres({ dataDir: join(folderOf(millions), "store"), password: known, durable: true });
}

export async function startGrowthStack(millions: number): Promise<GrowthStack> {
  const { merchant, client, largest, small } = await readKept(millions);
  const dataDir = folderOf(millions);
  const store = await openPostgres(millions);
  let stack: LocalStack | undefined;
  try {
    const databaseUrl = changeDatabaseUrl(store.url, { database: DATABASE });
    stack = await startLocalStack({ dataDir, env: { ...ENV, DATABASE_URL: databaseUrl } });
    const running = stack;
    const reader = partner({ ...running.state, dataDir }, client);
    const tokenOf = async (shop: ShopRecord) => (await reader.connect(merchantBrowser(merchant), shop)).accessToken;
    const sql = connectDatabase(databaseUrl, { name: "test", connections: 1 });
    return {
      count: millions * 1_000_000,
      sql,
      databaseUrl,
      apiUrl: running.state.resource_server_urls[0] as string,
      postgresLog: join(dataDir, "store", "postgres.log"),
      largest: { id: largest.id, accessToken: await tokenOf(largest) },
      small: { id: small.id, accessToken: await tokenOf(small) },
      async stop() {
        await sql.end({ timeout: 5 });
        await running.stop();
        await store.stop();
      },
    };
  } catch (error) {
    await stack?.stop();
    await store.stop();
    throw error;
  }
}

export async function removeTable(millions: number): Promise<void> {
  await removeData(join(folderOf(millions), "store"));
  await removeData(folderOf(millions));
}

async function readKept(millions: number): Promise<Kept> {
  return JSON.parse(await readFile(keptFile(millions), "utf8"));
}

async function onOwnPostgres(millions: number, password: string, work: (sql: Sql) => Promise<void>): Promise<void> {
  const store = await openPostgres(millions, password);
  const sql = connectDatabase(store.url, { name: "test", connections: 1 });
  try {
    await work(sql);
  } finally {
    await sql.end();
    await store.stop();
  }
}

async function alterSystem(sql: Sql, settings: Readonly<Record<string, string | null>>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    await sql.unsafe(value === null ? `ALTER SYSTEM RESET ${name}` : `ALTER SYSTEM SET ${name} = '${value}'`);
  }
}
