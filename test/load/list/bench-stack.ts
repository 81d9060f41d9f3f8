import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectDatabase, type Sql } from "@partner-connect/database";
import { type LocalStack, startLocalStack } from "@partner-connect/local-stack";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import {
  type MerchantAccount,
  onboardApiKey,
  onboardClient,
  onboardMerchant,
  onboardShop,
  type PartnerClient,
  type ShopRecord,
} from "../../harness/actors/onboarding.ts";
import { partner } from "../../harness/actors/partner.ts";
import type { Server } from "../served.ts";
import { type DataSetSize, fillDataSet } from "./data-set.ts";

/** A running stack with the data set, one replica of each service, and credentials that may read the measured shop. */
export interface BenchStack {
  readonly size: DataSetSize;
  /** As the database's owner. */
  readonly sql: Sql;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly shopId: string;
  /** The resource server itself, without the gateway. */
  readonly apiUrl: string;
  readonly baseUrl: string;
  readonly keysFile: string;
  readonly server: Server;
  /** The log of Postgres. */
  readonly postgresLog: string;
  readonly accessToken: string;
  readonly apiKey: string;
  stop(): Promise<void>;
}

const ROOT = fileURLToPath(new URL("../../../.data/bench-list/", import.meta.url));
const MIGRATIONS = fileURLToPath(new URL("../../../packages/database/migrations/", import.meta.url));

/** Settings for a server of this data set's size. All others are Postgres's defaults. */
const SETTINGS = { shared_buffers: "2GB", max_wal_size: "8GB", checkpoint_timeout: "30min", autovacuum: "off" };

const ENV = {
  AUTHORIZATION_SERVER_REPLICAS: "1",
  RESOURCE_SERVER_REPLICAS: "1",
  AUTHORIZE_RATE_LIMIT: "100000000",
  TOKEN_RATE_LIMIT: "100000000",
  API_RATE_LIMIT: "100000000000",
  ACCESS_TOKEN_TTL_SECONDS: "86400",
  LOG_LEVEL: "warn",
};

/** What was onboarded with the data set. */
interface People {
  readonly merchant: MerchantAccount;
  readonly client: PartnerClient;
  readonly shop: ShopRecord;
  readonly apiKey: string;
}

/** Starts the stack on the data set of `size`, which is made the first time and kept under `.data/bench-list`. */
export async function startBenchStack(size: DataSetSize, report: (line: string) => void): Promise<BenchStack> {
  const dataDir = await dataSetFolder(size);
  const peopleFile = join(dataDir, "people.json");
  const kept = await readFile(peopleFile, "utf8").catch(() => null);
  if (kept === null) {
    report(`making the data set in ${dataDir}`);
    await rm(dataDir, { recursive: true, force: true });
    await writeFile(peopleFile, JSON.stringify(await makeDataSet(dataDir, size, report)));
  }
  const { merchant, client, shop, apiKey }: People = JSON.parse(await readFile(peopleFile, "utf8"));
  const stack = await startLocalStack({ dataDir, env: ENV });
  try {
    const reader = partner({ ...stack.state, dataDir }, client);
    const { accessToken } = await reader.connect(merchantBrowser(merchant), shop);
    const sql = ownerOf(stack);
    const apiUrl = stack.state.resource_server_urls[0] as string;
    const pid = (name: string) => stack.state.processes.find((process) => process.name === name)?.pid as number;
    return {
      size,
      sql,
      databaseUrl: stack.state.database_url,
      redisUrl: stack.state.resource_server_redis_url,
      shopId: shop.id,
      apiUrl,
      baseUrl: stack.state.base_url,
      keysFile: join(dataDir, "signing-keys.json"),
      server: {
        url: apiUrl,
        pids: { node: pid("resource-server-1"), postgres: pid("postgres"), redis: pid("resource-server-redis") },
      },
      postgresLog: join(dataDir, "logs", "postgres.log"),
      accessToken,
      apiKey,
      async stop() {
        await sql.end();
        await stack.stop();
      },
    };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

/** The folder is named by a hash of what the data depends on. When that changes, the data set is made anew, and the old one removed. */
async function dataSetFolder(size: DataSetSize): Promise<string> {
  const hash = createHash("sha256").update(await readFile(new URL("data-set.ts", import.meta.url)));
  for (const name of (await readdir(MIGRATIONS)).sort()) hash.update(await readFile(join(MIGRATIONS, name)));
  const prefix = `${size.responses}-`;
  const name = prefix + hash.digest("hex").slice(0, 12);
  await mkdir(ROOT, { recursive: true });
  for (const other of await readdir(ROOT)) {
    if (other.startsWith(prefix) && other !== name) await rm(join(ROOT, other), { recursive: true, force: true });
  }
  return join(ROOT, name);
}

async function makeDataSet(dataDir: string, size: DataSetSize, report: (line: string) => void): Promise<People> {
  await onStack(dataDir, async (sql) => {
    for (const [name, value] of Object.entries(SETTINGS)) await sql.unsafe(`ALTER SYSTEM SET ${name} = '${value}'`);
  });
  return await onStack(dataDir, async (sql) => {
    const place = { dataDir };
    const merchant = await onboardMerchant(place);
    const client = await onboardClient(place, { scope: "responses:read" });
    const shop = await onboardShop(place, merchant);
    const { key: apiKey } = await onboardApiKey(place, shop);
    await fillDataSet(sql, shop.id, size, report);
    return { merchant, client, shop, apiKey };
  });
}

async function onStack<T>(dataDir: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const stack = await startLocalStack({ dataDir, env: ENV });
  const sql = ownerOf(stack);
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
    await stack.stop();
  }
}

function ownerOf(stack: LocalStack): Sql {
  return connectDatabase(stack.state.database_url, { name: "test", connections: 1 });
}
