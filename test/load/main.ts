import { parseArgs } from "node:util";

const HELP = `pnpm bench list [--quick] [--tls]   the list of responses against a naive peer, pgbench and COPY: pages, the mix that
                                    production asks, depth, combinations of filters, a greedy neighbour, memory
pnpm bench refresh [--quick]        CPU of a refresh against its peers; batches
pnpm bench write [--quick]          imports, bytes a response, and what readers wait beside a bulk recategorization
pnpm bench feed [--quick]           from a commit to the feed's reader
pnpm bench internal [--quick]       responses through the internal API, and what readers wait beside them

Without a name: all of them. Each prints its tables; every ratio is of one interleaved run. --quick: fewer rounds on less
data. --tls: over TLS to Postgres and Redis. --against COMMIT (list, refresh): its service beside ours, in the same
rounds. Loads by wrk where it is installed. Needs pgbench and psql (Debian: postgresql-contrib, postgresql-client).`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    tls: { type: "boolean", default: false },
    against: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});
const BENCHES = {
  list: async () => (await import("./list.bench.ts")).benchList,
  refresh: async () => (await import("./refresh.bench.ts")).benchRefresh,
  write: async () => (await import("./write.bench.ts")).benchWrite,
  feed: async () => (await import("./feed.bench.ts")).benchFeed,
  internal: async () => (await import("./internal.bench.ts")).benchInternal,
};
const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
if (!values.help && names.every((name) => Object.hasOwn(BENCHES, name))) {
  for (const name of names) {
    const bench = await BENCHES[name as keyof typeof BENCHES]();
    await bench(values);
  }
} else {
  console.log(HELP);
  process.exitCode = values.help ? 0 : 1;
}
