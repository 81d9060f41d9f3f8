import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectDatabase } from "@partner-connect/database";
import { type LocalStack, startLocalStack } from "@partner-connect/local-stack";
import { generateResponses } from "@partner-connect/survey-data/generated";
import { onboardApiKey, onboardMerchant, onboardShop, type ShopRecord } from "../harness/actors/onboarding.ts";
import { operator } from "../harness/actors/operator.ts";
import { needPrograms } from "./program.ts";
import { table } from "./table.ts";
import { type Load, wrk } from "./wrk.ts";

const RESPONSES = 100_000;
const READERS = 4;
const SORTS = ["inserted_at_desc", "inserted_at_asc", "updated_at_desc", "updated_at_asc"];

/**
 * Writes by the operator's command line: an import of 100,000 responses, the same import again, and the recategorization
 * of all of them. Measures how long each takes, and how long the shop's readers wait meanwhile.
 */
export async function benchWrite({ quick }: { quick: boolean }): Promise<void> {
  await needPrograms(["wrk"], (line) => console.error(line));
  const dataDir = await mkdtemp(join(tmpdir(), "partner-connect-bench-"));
  const stack = await startLocalStack({ dataDir, env: { API_RATE_LIMIT: "100000000", LOG_LEVEL: "warn" } });
  const sql = connectDatabase(stack.state.database_url, { name: "test", connections: 1 });
  try {
    const shop = await onboardShop({ dataDir }, await onboardMerchant({ dataDir }));
    const { key } = await onboardApiKey({ dataDir }, shop);
    const lines = [...generateResponses({ count: RESPONSES })];
    const [file, ids] = [join(dataDir, "responses.ndjson"), join(dataDir, "ids")];
    await writeFile(file, lines.join(""));
    await writeFile(ids, lines.map((line) => `${(JSON.parse(line) as { id: string }).id}\n`).join(""));

    const first = await secondsOf(() => importFile(dataDir, shop, file, { inserted: RESPONSES }));
    const again = await secondsOf(() => importFile(dataDir, shop, file, { unchanged: RESPONSES }));
    console.log(`\n${RESPONSES} responses by the operator's command line, its start included\n`);
    console.log(
      table(
        ["", "seconds", "rows/s"],
        [
          ["import into an empty shop", first.toFixed(1), (RESPONSES / first).toFixed(0)],
          ["the same file again", again.toFixed(1), (RESPONSES / again).toFixed(0)],
        ],
      ),
    );

    const rows: string[][] = [];
    for (let round = 1; round <= (quick ? 2 : 5); round++) {
      // What autovacuum would do some time after the round before: so every round begins with the same table.
      await sql`VACUUM (ANALYZE) survey.responses`;
      const alone = await waits(stack, key, sleep(3000));
      let seconds = 0;
      const beside = await waits(
        stack,
        key,
        secondsOf(() =>
          operator({ dataDir }, [
            ...["response", "recategorize", "--shop", shop.id, "--ids-from", ids, "--response", `Category ${round}`],
          ]),
        ).then((taken) => {
          seconds = taken;
        }),
      );
      rows.push(rowOf(`${round}: nothing else`, alone));
      rows.push(rowOf(`${round}: ${RESPONSES} recategorized meanwhile, ${seconds.toFixed(1)} s`, beside));
    }
    console.log(`\n${READERS} readers of the shop by wrk, one page of 50 after the other in all four sorts\n`);
    console.log(table(["meanwhile", "pages", "p50 ms", "p99 ms", "longest ms (floor 50)"], rows));
  } finally {
    await sql.end();
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function importFile(dataDir: string, shop: ShopRecord, file: string, expected: object): Promise<void> {
  const result = await operator({ dataDir }, ["response", "import", "--shop", shop.id, file]);
  for (const [name, count] of Object.entries(expected)) {
    if (result[name] !== count) throw new Error(`imported: ${JSON.stringify(result)}`);
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

/** How long readers wait for a page, until `end`. */
async function waits({ state }: LocalStack, key: string, end: Promise<unknown>): Promise<Load> {
  const [url = ""] = state.resource_server_urls;
  const pages = SORTS.map((sort) => ({ method: "GET", path: `/api/responses?limit=50&sort=${sort}` }) as const);
  const options = { connections: READERS, seconds: 600, until: end, ahead: true, headers: { authorization: key } };
  const [load] = await Promise.all([wrk(url, pages, options), end]);
  return load;
}

function rowOf(name: string, { requests, p50, p99, longest }: Load): string[] {
  return [name, String(requests), ...[p50, p99, longest].map((ms) => ms.toFixed(1))];
}
