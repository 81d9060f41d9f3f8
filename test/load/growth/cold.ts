import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { changeDatabaseUrl } from "@partner-connect/database";
import { median } from "../table.ts";
import { type GrowthStack, openPostgres, startGrowthStack } from "./kept-stack.ts";
import { largestShopIndex, rowAt } from "./rows.ts";
import { connectAsService, type Explained, prepare, statementOf } from "./statement.ts";

const PAGES = 100;

export interface ColdPages {
  /** The first page that is asked for after the start. */
  readonly first: Explained;
  /** Then pages all over the largest shop, each the first time: medians. */
  readonly anywhere: Explained;
}

/**
 * Cold: Postgres was stopped, the system's cache of its files emptied, and Postgres started again. The session has asked for a
 * page of a shop that has none, so what it knows of tables and plans is not part of it. The disk may have a cache of its own.
 */
export async function measureCold(millions: number): Promise<ColdPages> {
  const stack = await startGrowthStack(millions);
  const { count, largest, small } = stack;
  const idAt = (place: number) =>
    rowAt(largestShopIndex(place, count), count, { largest: largest.id, small: small.id }).id;
  const cursor = idAt(0.5);
  const { statement, directory } = await known(stack, cursor).finally(() => stack.stop());
  await dropCache(directory);

  const store = await openPostgres(millions);
  const databaseUrl = changeDatabaseUrl(store.url, { database: new URL(stack.databaseUrl).pathname.slice(1) });
  const sql = connectAsService(databaseUrl);
  try {
    const execute = await prepare(sql, statement);
    const page = (shop: string, id: string) =>
      execute(statement.parameters.map((value) => (value === largest.id ? shop : value === cursor ? id : value)));
    await page("shop_of_nobody", "nothing");
    const first = await page(largest.id, idAt(0.9));
    const runs: Explained[] = [];
    for (let run = 1; run <= PAGES; run++) runs.push(await page(largest.id, idAt((run * 0.6180339887498949) % 1)));
    const of = (part: keyof Explained) => median(runs.map((each) => each[part]));
    return { first, anywhere: { ms: of("ms"), blocks: of("blocks"), read: of("read") } };
  } finally {
    await sql.end();
    await store.stop();
  }
}

/** What has to be asked while the services run: the statement of a page after `cursor`, and where the files are. */
async function known(stack: GrowthStack, cursor: string) {
  const path = `/api/responses?limit=50&starting_after=${cursor}`;
  const [row] = await stack.sql<{ directory: string }[]>`SELECT current_setting('data_directory') AS directory`;
  return { statement: await statementOf(stack, stack.largest, path), directory: row?.directory ?? "" };
}

/** Of these files alone; nothing else on the machine gets slower, and it takes no rights. */
async function dropCache(directory: string): Promise<void> {
  const dd = ["dd", "if={}", "iflag=nocache", "count=0", "status=none", ";"];
  await promisify(execFile)("find", [directory, "-type", "f", "-exec", ...dd]);
}
