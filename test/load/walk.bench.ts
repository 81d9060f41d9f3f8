import { startBenchStack } from "./list/bench-stack.ts";
import { QUICK } from "./list/data-set.ts";
import { copyShop, walkShop } from "./list/walk.ts";
import { needPrograms } from "./program.ts";
import { spread, table } from "./table.ts";
import { listShop, mirrorShop, syncShop } from "./walk/mirror.ts";

const ROUNDS = { quick: 3, full: 7 };

/** What is compared, in the order in which it runs. All read the same shop of 100,000 responses. */
const WALKS = {
  "COPY to psql": copyShop,
  "SDK, syncResponses into SQLite": mirrorShop,
  "SDK, syncResponses": syncShop,
  "SDK, listResponses": listShop,
  "by next, limit 1000, nothing parsed": walkShop,
};

/** The SDK's copy of a shop into SQLite against COPY. What is compared runs in turns, in the same rounds. */
export async function benchWalk({ quick }: { quick: boolean }): Promise<void> {
  const report = (line: string): void => console.error(line);
  await needPrograms(["psql"], report);
  const stack = await startBenchStack(QUICK, report);
  const measured = Object.fromEntries(Object.keys(WALKS).map((name): [string, number[]] => [name, []]));
  try {
    const rounds = quick ? ROUNDS.quick : ROUNDS.full;
    for (let round = 0; round <= rounds; round++) {
      report(round === 0 ? "warming up" : `round ${round} of ${rounds}`);
      for (const [name, walk] of Object.entries(WALKS)) {
        const rowsPerSecond = await walk(stack);
        if (round > 0) measured[name]?.push(rowsPerSecond);
      }
    }
  } finally {
    await stack.stop();
  }
  const copied = measured["COPY to psql"] ?? [];
  const rows = Object.entries(measured).map(([name, values]) => [
    name,
    spread(values, 0),
    spread(values.map((value, round) => value / (copied[round] ?? Number.NaN))),
    name.endsWith("SQLite") ? "≥ 0.3" : "",
    name.endsWith("SQLite") ? "0.6" : "",
  ]);
  const responses = QUICK.responses / 3;
  console.log(
    `\nA shop of ${responses} responses, one caller, one replica; ${copied.length} rounds, median (lowest to highest).\n`,
  );
  console.log(`${table(["", "rows/s", "to COPY", "floor", "aim"], rows)}\n`);
}
