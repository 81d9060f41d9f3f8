import { warmAuthentication } from "./list/authentication.ts";
import { startBenchStack } from "./list/bench-stack.ts";
import { everyCombination } from "./list/combinations.ts";
import { FULL, QUICK } from "./list/data-set.ts";
import { depthRatio, walks } from "./list/depth.ts";
import { needPrograms } from "./list/program.ts";
import {
  HTTP_CONNECTIONS,
  type NaivePeer,
  PAGE,
  pageStatement,
  type ThroughputRound,
  throughputRound,
} from "./list/throughput.ts";
import { copyShop, walkShop } from "./list/walk.ts";
import { startPeer } from "./peer-process.ts";
import { spread, table } from "./table.ts";

/**
 * The list of responses against the same SQL in pgbench, a naive peer and COPY, on a data set that is made once and
 * kept. Everything that is compared runs in turns, in the same rounds.
 */
export async function benchList({ quick }: { quick: boolean }): Promise<void> {
  const report = (line: string): void => console.error(line);
  const plan = quick
    ? { size: QUICK, rounds: 3, seconds: 3, asked: 60, draws: 4 }
    : { size: FULL, rounds: 7, seconds: 8, asked: 150, draws: 25 };
  await needPrograms(["pgbench", "psql", "wrk"], report);
  const stack = await startBenchStack(plan.size, report);
  let naive: NaivePeer | undefined;
  try {
    naive = await startPeer<{ url: string }>("naive-list", { DATABASE_URL: stack.databaseUrl });
    const statement = await pageStatement(stack);
    const ways = await walks(stack);
    const depths = new Map(ways.map((way) => [way, [] as number[]]));
    const copies: number[] = [];
    const walked: number[] = [];
    const loads: ThroughputRound[] = [];
    report("warming up");
    await throughputRound(stack, naive, statement, 2);
    for (let round = 1; round <= plan.rounds; round++) {
      report(`round ${round} of ${plan.rounds}`);
      loads.push(await throughputRound(stack, naive, statement, plan.seconds));
      copies.push(await copyShop(stack));
      walked.push(await walkShop(stack));
      for (const [way, ratios] of depths) ratios.push(await depthRatio(stack, way, plan.asked));
    }
    report("every combination");
    const combinations = await everyCombination(stack, plan.draws);
    const warm = await warmAuthentication(stack);

    const cpu = ({ nodeMs, postgresMs }: { nodeMs: number; postgresMs: number }): number => nodeMs + postgresMs;
    const deepest = [...depths].map(([{ name }, ratios]) => ({ name, ratios }));
    const worst = deepest.toSorted((a, b) => Math.max(...b.ratios) - Math.max(...a.ratios))[0];
    const rows: [string, string, string, string][] = [
      ["pages/s, ours / pgbench", spread(loads.map(({ ours, pgbench }) => ours.perSecond / pgbench)), "≥ 0.65", "0.90"],
      ["CPU a page, ours / naive", spread(loads.map(({ ours, naive }) => cpu(ours) / cpu(naive))), "≤ 0.40", "0.25"],
      ["pages/s, ours / naive", spread(loads.map(({ ours, naive }) => ours.perSecond / naive.perSecond)), "≥ 3", "5"],
      [`deep page / first, ${worst?.name}`, spread(worst?.ratios ?? []), "≤ 1.2", "1.05"],
      ["worst combination, ms in Postgres", (combinations.slowest[0]?.ms ?? Number.NaN).toFixed(2), "≤ 10", "2"],
      ["caller from a warm cache, µs", warm.accessTokenUs.toFixed(2), "≤ 5, no network", "2"],
      [
        "resident memory, MB",
        spread(
          loads.map(({ resident }) => resident / 2 ** 20),
          0,
        ),
        "≤ 240",
        "130",
      ],
      ["whole shop by next / COPY, rows/s", spread(walked.map((rate, i) => rate / (copies[i] ?? 0))), "≥ 0.3", "0.6"],
    ];
    const shop = plan.size.responses / 3;
    console.log(`
List of responses: ${plan.size.responses} responses, ${shop} in the shop that is read, limit ${PAGE} unless said otherwise.
${plan.rounds} interleaved rounds of ${plan.seconds} s each; median (lowest to highest).
`);
    console.log(table(["", "measured", "floor", "aim"], rows));
    const served = (pick: "ours" | "naive") => [
      spread(
        loads.map((load) => load[pick].perSecond),
        0,
      ),
      spread(loads.map((load) => load[pick].nodeMs)),
      spread(loads.map((load) => load[pick].postgresMs)),
    ];
    console.log(
      `\n${HTTP_CONNECTIONS} connections by wrk, one replica; the load, Node, Postgres and Redis share the cores.\n`,
    );
    console.log(
      table(
        ["", "pages/s", "Node CPU ms a page", "Postgres CPU ms a page"],
        [
          [
            "pgbench, 4 clients, prepared",
            spread(
              loads.map(({ pgbench }) => pgbench),
              0,
            ),
            "",
            "",
          ],
          ["ours", ...served("ours")],
          ["naive", ...served("naive")],
        ],
      ),
    );
    console.log(
      `\n${table(
        ["page at depth 0.9 / first page, end to end", "ratio"],
        deepest.map(({ name, ratios }) => [name, spread(ratios)]),
      )}`,
    );
    console.log(
      `\n${table(
        ["whole shop", "rows/s"],
        [
          ["COPY to psql", spread(copies, 0)],
          ["ours, by next, limit 1000", spread(walked, 0)],
        ],
      )}`,
    );
    console.log(
      `\nServer time of ${combinations.requests} requests of ${combinations.shapes} shapes (sort × filters × cursor), the slowest:\n\n${table(
        ["ms", "request"],
        combinations.slowest.slice(0, 5).map(({ ms, query }) => [ms.toFixed(2), query]),
      )}`,
    );
    console.log(
      `\nWarm authentication: access token ${warm.accessTokenUs.toFixed(2)} µs, API key ${warm.apiKeyUs.toFixed(2)} µs, ${warm.networkUse} uses of the network.`,
    );
  } finally {
    naive?.stop();
    await stack.stop();
  }
}
