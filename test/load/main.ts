import { parseArgs } from "node:util";

const HELP = `pnpm bench refresh [--quick]   refresh CPU against its peers, round trips, latency of the OAuth routes
pnpm bench list [--quick]      the list of responses against pgbench, a naive peer and COPY: the mix, and one caller
pnpm bench mix [--quick] [--against FOLDER]...
                               what production asks, plain and over TLS; beside other checkouts of this repository
pnpm bench write [--quick]     imports, and what readers wait beside a bulk recategorization
pnpm bench neighbour [--quick] what a shop's callers wait beside one shop that asks a lot, and beside many that do
pnpm bench sizes [--quick]     what a response and a connection take: for deploy/operations/scaling.md
pnpm bench feed [--quick]      from a commit to the feed's reader

Each prints its table; every ratio is of one interleaved run. --quick: fewer rounds on less data.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    against: { type: "string", multiple: true, default: [] },
    help: { type: "boolean", short: "h", default: false },
  },
});
const BENCHES = {
  refresh: async () => (await import("./refresh.bench.ts")).benchRefresh,
  list: async () => (await import("./list.bench.ts")).benchList,
  mix: async () => (await import("./mix.bench.ts")).benchMix,
  write: async () => (await import("./write.bench.ts")).benchWrite,
  neighbour: async () => (await import("./neighbour.bench.ts")).benchNeighbour,
  sizes: async () => (await import("./sizes.bench.ts")).benchSizes,
  feed: async () => (await import("./feed.bench.ts")).benchFeed,
};
const [name = ""] = positionals;
if (!values.help && Object.hasOwn(BENCHES, name)) {
  const bench = await BENCHES[name as keyof typeof BENCHES]();
  await bench({ quick: values.quick, against: values.against });
} else {
  console.log(HELP);
  process.exitCode = values.help ? 0 : 1;
}
