import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type ShopClient, shopWithApiKey } from "@partner-connect/partner-sdk";
import type { BenchStack } from "../list/bench-stack.ts";

/** Responses a second of the SDK's sync into a new SQLite file, as `packages/partner-sdk/examples/mirror.ts` does it. */
export async function mirrorShop(stack: BenchStack): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-bench-"));
  const mirror = new DatabaseSync(join(folder, "mirror.db"));
  try {
    mirror.exec(`PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      CREATE TABLE responses (id TEXT PRIMARY KEY, record TEXT NOT NULL);
      CREATE TABLE sync (only INTEGER PRIMARY KEY CHECK (only = 1), state TEXT NOT NULL);`);
    const put = mirror.prepare("INSERT OR REPLACE INTO responses VALUES (?, ?)");
    const remove = mirror.prepare("DELETE FROM responses WHERE id = ?");
    const save = mirror.prepare("INSERT OR REPLACE INTO sync VALUES (1, ?)");
    const began = performance.now();
    for await (const { reset, responses, deletedIds, state } of shopOf(stack).syncResponses(null)) {
      mirror.exec("BEGIN IMMEDIATE");
      if (reset) mirror.exec("DELETE FROM responses");
      for (const response of responses) put.run(response.id, JSON.stringify(response));
      for (const id of deletedIds) remove.run(id);
      save.run(JSON.stringify(state));
      mirror.exec("COMMIT");
    }
    const seconds = (performance.now() - began) / 1000;
    const rows = Number(mirror.prepare("SELECT count(*) AS count FROM responses").get()?.["count"]);
    if (rows !== stack.size.responses / 3) throw new Error(`${rows} responses in the copy`);
    return rows / seconds;
  } finally {
    mirror.close();
    await rm(folder, { recursive: true });
  }
}

/** The same without a store: what the SDK alone takes. */
export async function syncShop(stack: BenchStack): Promise<number> {
  const began = performance.now();
  let rows = 0;
  for await (const { responses } of shopOf(stack).syncResponses(null)) rows += responses.length;
  return rows / ((performance.now() - began) / 1000);
}

/** By `listResponses`, record by record. */
export async function listShop(stack: BenchStack): Promise<number> {
  const began = performance.now();
  let rows = 0;
  for await (const _ of shopOf(stack).listResponses()) rows += 1;
  return rows / ((performance.now() - began) / 1000);
}

function shopOf(stack: BenchStack): ShopClient {
  return shopWithApiKey({ baseUrl: stack.apiUrl, apiKey: stack.apiKey });
}
