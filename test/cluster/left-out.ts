import type { EngineSet } from "./engine-sets.ts";

type Engine = "Redis Cluster" | "Citus";

/** Files that don't apply to an engine, and why. Each of them runs on plain stores. */
export const LEFT_OUT: readonly {
  readonly files: readonly string[];
  readonly engines: readonly Engine[];
  readonly why: string;
}[] = [
  {
    files: ["test/faults/postgres.test.ts", "test/faults/waiting-calls.test.ts", "test/faults/without-stores.test.ts"],
    engines: ["Citus"],
    why: "kills, stops and locks a Postgres of its own; test/operations does that to the nodes of a cluster",
  },
  {
    files: [
      "packages/service-runtime/src/logging/faults.test.ts",
      "packages/service-runtime/src/redis/connect-redis.test.ts",
    ],
    engines: ["Redis Cluster"],
    why: "of a connection to one server, as each of a cluster's is; redis/cluster/connect.cluster.test.ts is of them together",
  },
  {
    files: ["packages/survey-data/src/old-snapshot.test.ts"],
    engines: ["Citus"],
    why: "reads what one Postgres counts of its table; what the nodes of a cluster count of their shards was not tried (alerts.md)",
  },
  {
    files: ["test/faults/flood.test.ts"],
    engines: ["Redis Cluster", "Citus"],
    why: "weighs what one Redis holds",
  },
  {
    files: [
      "test/e2e/operator/doctor.test.ts",
      "test/e2e/operator/pnpm-dev.test.ts",
      "test/e2e/developers/sample-mission.test.ts",
    ],
    engines: ["Redis Cluster", "Citus"],
    why: "uses the stores that a local stack starts for itself",
  },
];

/** Why the file is not run on these engines; null where it is. */
export function whyLeftOut(file: string, { isRedisCluster, isCitus }: EngineSet): string | null {
  const runsOn = (engine: Engine): boolean => (engine === "Citus" ? isCitus : isRedisCluster);
  return LEFT_OUT.find(({ files, engines }) => files.includes(file) && engines.some(runsOn))?.why ?? null;
}
