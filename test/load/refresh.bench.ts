import { connectShops } from "../harness/actors/many-connections.ts";
import { basic } from "../harness/actors/partner.ts";
import { checkOut, pidsOf, startReplica, withStack } from "./bench-stack.ts";
import {
  cpuMs,
  inRounds,
  LOAD_COLUMNS,
  type Load,
  type LoadRequest,
  loadRow,
  measure,
  residentMb,
  type Server,
  startPeer,
  WARM_UP_SECONDS,
} from "./measure.ts";
import { type FloorRow, floorTable, table } from "./table.ts";

/** As few connections as one partner has, and as many as keep a replica busy. */
const CONNECTIONS = [8, 64] as const;
/** Greatest ratio of our CPU to that of node-oauth2-server. */
const FLOORS = { 8: "≤ 1.2", 64: "≤ 1" };
/** Tokens of a batch. */
const BATCH = 1000;
const OURS = "ours";
const STOCK = "stock oidc-provider";
const WITHOUT_DUTIES = "node-oauth2-server, without our duties";
const BATCHES = "batches of 1,000";

/** A token endpoint, and the refreshes that it gets. */
interface Target extends Server {
  readonly requests: readonly LoadRequest[];
}

interface Credentials {
  readonly clientId: string;
  readonly secret: string;
  readonly refreshTokens: readonly string[];
}

/** A refresh's cost here and in peers on the same Redis (fsync always), in alternating rounds. */
export async function benchRefresh({
  quick,
  against,
}: {
  readonly quick: boolean;
  readonly against?: string | undefined;
}): Promise<void> {
  const plan = quick ? { rounds: 3, seconds: 2 } : { rounds: 7, seconds: 5 };
  await withStack(async (stack, _sql, dataDir) => {
    const { redis_url: REDIS_URL, authorization_server_urls: urls } = stack.state;
    const { client, connections } = await connectShops({ ...stack.state, dataDir }, BATCH);
    const tokens = connections.map(({ refreshToken }) => refreshToken);
    const pids = pidsOf(stack, "authorization-server-1", "redis");
    const url = `${urls[0]}/oauth/api/token`;
    const batch = { refresh_tokens: tokens };
    const headers = { authorization: basic(client), "content-type": "application/json" };
    const batches: LoadRequest = {
      method: "POST",
      path: `${new URL(url).pathname}/batch`,
      headers,
      body: JSON.stringify(batch),
    };
    const targets: Record<string, Target> = {
      [OURS]: {
        url,
        pids,
        requests: refreshes({ url, ...client, refreshTokens: tokens.slice(0, 20) }),
      },
    };
    const peers: { stop(): unknown }[] = [];
    const start = async (name: string, script: string): Promise<void> => {
      const peer = await startPeer<Credentials & { readonly url: string }>(script, { REDIS_URL });
      peers.push(peer);
      targets[name] = {
        url: peer.url,
        pids: { ...pids, node: peer.pid },
        requests: refreshes(peer),
      };
    };
    try {
      await start(STOCK, "stock-oidc-provider");
      if (against !== undefined) {
        const tree = await checkOut(against);
        peers.push({ stop: tree.remove });
        const replica = await startReplica(pids.node, {}, tree.root);
        peers.push({ stop: replica.kill });
        const other = {
          url: `${replica.url}/oauth/api/token`,
          pids: { ...pids, node: replica.pid },
        };
        const refreshTokens = tokens.slice(20, 40);
        targets[against] = {
          ...other,
          requests: refreshes({ ...other, ...client, refreshTokens }),
        };
      }
      await start(WITHOUT_DUTIES, "node-oauth2-server");
      const found = await inRounds(
        plan,
        async (seconds, round) => {
          const loads: Record<string, Load> = {};
          const entries = Object.entries(targets);
          for (const count of CONNECTIONS) {
            for (const [name, target] of round % 2 === 0 ? entries : entries.toReversed())
              loads[`${name}, ${count}`] = await measure(target, target.requests, count, seconds);
          }
          loads[BATCHES] = await measure({ url, pids }, [batches], 1, seconds);
          return loads;
        },
        WARM_UP_SECONDS / CONNECTIONS.length,
      );
      const names = CONNECTIONS.flatMap((count) =>
        Object.keys(targets).map((name) => `${name}, ${count}`),
      );
      const results = Object.fromEntries(
        [...names, BATCHES].map((name) => [name, found.map((loads) => loads[name] as Load)]),
      );
      const memory = await residentMb(pids.node);
      console.log(
        `\n${refreshReport(results, memory, against, `${plan.rounds} interleaved rounds of ${plan.seconds} s`)}\n`,
      );
    } finally {
      for (const peer of peers.toReversed()) await peer.stop();
    }
  });
}

function refreshReport(
  results: Readonly<Record<string, readonly Load[]>>,
  memory: number,
  against: string | undefined,
  rounds: string,
): string {
  const ratio = (one: string, other: string, pick: (load: Load) => number): readonly number[] =>
    (results[one] ?? []).map((load, round) => pick(load) / pick(results[other]?.[round] as Load));
  const serving = ({ nodeMs, postgresMs }: Load): number => nodeMs + postgresMs;
  const floors = CONNECTIONS.flatMap((count): FloorRow[] => [
    ...(against === undefined
      ? []
      : [
          [
            `CPU, ours / ${against}, ${count}`,
            ratio(`${OURS}, ${count}`, `${against}, ${count}`, serving),
          ] as const,
        ]),
    [
      `CPU, ours / ${STOCK}, ${count}`,
      ratio(`${OURS}, ${count}`, `${STOCK}, ${count}`, serving),
      "≤ 0.9",
      "0.6",
    ],
    [
      `CPU, ours / ${WITHOUT_DUTIES}, ${count}`,
      ratio(`${OURS}, ${count}`, `${WITHOUT_DUTIES}, ${count}`, serving),
      FLOORS[count],
      "0.5",
    ],
  ]);
  const [few] = CONNECTIONS;
  const batch = ratio(BATCHES, `${OURS}, ${few}`, cpuMs).map((value) => value / BATCH);
  floors.push([`CPU a token, batch / single refreshes, ${few}`, batch, "≤ 0.5", "0.33"]);
  const rows = Object.entries(results).map(([name, loads]) =>
    loadRow(name, loads, name === BATCHES ? BATCH : 1),
  );
  return [
    `Refreshes on ${CONNECTIONS.join(" and ")} connections, ${rounds}; CPU of Node and Postgres; median (lowest to highest).`,
    floorTable([...floors, ["resident memory, MB", [memory], "≤ 240", "150", 0]]),
    table(["tokens", ...LOAD_COLUMNS], rows),
  ].join("\n\n");
}

function refreshes({
  url,
  refreshTokens,
  ...client
}: Credentials & { readonly url: string }): readonly LoadRequest[] {
  const headers = {
    authorization: basic({ name: "", ...client }),
    "content-type": "application/x-www-form-urlencoded",
  };
  const path = new URL(url).pathname;
  return refreshTokens.map((refresh_token) => ({
    method: "POST",
    path,
    headers,
    body: new URLSearchParams({ grant_type: "refresh_token", refresh_token }).toString(),
  }));
}
