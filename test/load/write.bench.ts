import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { generateResponses } from "@partner-connect/survey-data/generated";
import { onboardApiKey, onboardMerchant, onboardShop } from "../harness/actors/onboarding.ts";
import { operator } from "../harness/actors/operator.ts";
import { readersOf, withStack } from "./bench-stack.ts";
import type { Load } from "./measure.ts";
import { floorTable, table } from "./table.ts";

const RESPONSES = 100_000;
const HALF_RATE_IMPORT = fileURLToPath(new URL("half-rate-import.main.ts", import.meta.url));

/**
 * An import of 100,000 responses, the same again, and their recategorization by the command line:
 * how long each takes, and how long readers wait beside it, or an import at half its rate.
 */
export async function benchWrite({ quick }: { quick: boolean }): Promise<void> {
  await withStack(async (stack, sql, dataDir) => {
    const shop = await onboardShop({ dataDir }, await onboardMerchant({ dataDir }));
    const { key } = await onboardApiKey({ dataDir }, shop);
    const lines = [...generateResponses({ count: RESPONSES })];
    const [file, ids] = [join(dataDir, "responses.ndjson"), join(dataDir, "ids")];
    await writeFile(file, lines.join(""));
    await writeFile(
      ids,
      lines.map((line) => `${(JSON.parse(line) as { id: string }).id}\n`).join(""),
    );
    const read = readersOf(stack, key);

    const importFile = async (name: "inserted" | "unchanged"): Promise<number> => {
      const began = performance.now();
      const result = await operator({ dataDir }, ["response", "import", "--shop", shop.id, file]);
      if (result[name] !== RESPONSES) throw new Error(`imported: ${JSON.stringify(result)}`);
      return RESPONSES / ((performance.now() - began) / 1000);
    };
    const first = await importFile("inserted");
    const [size] = await sql<
      { bytes: number }[]
    >`SELECT pg_total_relation_size('survey.responses')::float8 AS bytes`;
    const again = await importFile("unchanged");

    const rows: string[][] = [];
    const rowOf = (name: string, { requests, p50, p99, longest }: Load): void => {
      rows.push([name, ...[requests, p50, p99, longest].map(String)]);
    };
    const longest: number[] = [];
    for (let round = 1; round <= (quick ? 2 : 5); round++) {
      // Vacuum, as autovacuum would do later, so that every round begins with the same table.
      await sql`VACUUM (ANALYZE) survey.responses`;
      rowOf(`${round}: nothing else`, await read(sleep(3000)));
      const args = ["--shop", shop.id, "--ids-from", ids, "--response", `Category ${round}`];
      const changing = operator({ dataDir }, ["response", "recategorize", ...args]);
      const [beside] = await Promise.all([read(changing), changing]);
      rowOf(`${round}: ${RESPONSES} recategorized`, beside);
      longest.push(beside.longest);
    }
    const alone = await read(sleep(quick ? 3000 : 20_000));
    const rowsBeside = quick ? 40_000 : 2_000_000;
    const args = [HALF_RATE_IMPORT, stack.state.database_url, shop.id, String(rowsBeside)];
    const importing = once(spawn(process.execPath, args, { stdio: "inherit" }), "exit");
    const [beside] = await Promise.all([read(importing), importing]);
    rowOf("nothing else", alone);
    rowOf(`${rowsBeside} imported at half the rate`, beside);
    console.log(
      `\n${RESPONSES} responses; four readers, one page of 50 after the other in all four sorts\n`,
    );
    console.log(
      floorTable([
        ["import into an empty shop, rows/s", [first], "≥ 25000", "40000", 0],
        ["the same file again, rows/s", [again], "", "", 0],
        [
          "bytes a response on disk, with indexes",
          [(size?.bytes ?? 0) / RESPONSES],
          "≤ 1850",
          "1500",
          0,
        ],
        ["longest wait of a reader beside the recategorization, ms", longest, "≤ 50", "20", 0],
        [
          "p99 of a reader beside an import at half its rate, ratio",
          [beside.p99 / alone.p99],
          "≤ 2",
          "",
          1,
        ],
      ]),
    );
    console.log(`\n${table(["beside", "pages", "p50 ms", "p99 ms", "longest ms"], rows)}\n`);
  });
}
