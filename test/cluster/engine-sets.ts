/** What the tests run on. */
export interface EngineSet {
  readonly name: string;
  /** As the table calls it. */
  readonly title: string;
  readonly isRedisCluster: boolean;
  readonly isCitus: boolean;
  /** Of each service. */
  readonly replicas: number;
}

export const ENGINE_SETS: readonly EngineSet[] = [
  { name: "plain", title: "one Postgres, one Redis", isRedisCluster: false, isCitus: false, replicas: 2 },
  { name: "redis", title: "Redis Cluster: 3 masters, 3 replicas", isRedisCluster: true, isCitus: false, replicas: 2 },
  { name: "citus", title: "Citus: coordinator, 2 workers", isRedisCluster: false, isCitus: true, replicas: 2 },
  { name: "all", title: "both, 3 replicas of each service", isRedisCluster: true, isCitus: true, replicas: 3 },
];
