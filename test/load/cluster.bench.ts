import { type CitusCluster, citusCluster, distributeDatabase, startCitus } from "../harness/engines/citus-cluster.ts";
import { type CallCost, costsOf } from "./cluster/costs.ts";
import { needPrograms } from "./program.ts";
import { table } from "./table.ts";

const HEAD = ["call", "way", "a second", "p50 ms", "p99 ms", "ms of CPU: service", "Postgres"];

/**
 * What a hop through Citus costs: pages and refreshes on one Postgres, by way of the workers, and by way of the coordinator. All
 * nodes, the services and the load share this machine, so it shows the cost alone, and nothing of what more machines give.
 */
export async function benchCluster({ quick }: { quick: boolean }): Promise<void> {
  const seconds = quick ? 3 : 8;
  await needPrograms(["wrk"], (line) => console.error(line));
  const costs = await using(citusCluster(), async (plain) => {
    await plain.startPlain();
    return await costsOf(plain, "one Postgres", plain.url, seconds);
  });
  const distributed = await using(startCitus(2), async (cluster) => {
    await distributeDatabase(cluster.url);
    const [worker = ""] = cluster.workerUrls;
    return [
      ...(await costsOf(cluster, "Citus, by a worker", worker, seconds)),
      ...(await costsOf(cluster, "Citus, by the coordinator", cluster.url, seconds)),
    ];
  });
  console.log(table(HEAD, [...costs, ...distributed].map(cells)));
}

async function using<T>(starting: Promise<CitusCluster>, work: (cluster: CitusCluster) => Promise<T>): Promise<T> {
  const cluster = await starting;
  try {
    return await work(cluster);
  } finally {
    await cluster.remove();
  }
}

function cells({ call, way, perSecond, p50, p99, nodeMs, postgresMs }: CallCost): string[] {
  return [call, way, perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1), nodeMs.toFixed(3), postgresMs.toFixed(3)];
}
