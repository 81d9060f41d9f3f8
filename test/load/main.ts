import { parseArgs } from "node:util";

const HELP = `pnpm bench refresh [--quick]   refresh CPU against two peers, round trips, latency of the OAuth routes
pnpm bench list [--quick]      the list of responses against pgbench, a naive peer and COPY

Each prints its table; every ratio is of one interleaved run. --quick: fewer rounds on less data.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, help: { type: "boolean", short: "h", default: false } },
});
const [name] = positionals;
if (values.help || (name !== "refresh" && name !== "list")) {
  console.log(HELP);
  process.exitCode = values.help ? 0 : 1;
} else if (name === "refresh") {
  const { benchRefresh } = await import("./refresh.bench.ts");
  await benchRefresh({ quick: values.quick });
} else {
  const { benchList } = await import("./list.bench.ts");
  await benchList({ quick: values.quick });
}
