/** Files that don't apply to an engine, and why. Each of them runs on plain stores. */
export const FILES_OF_ONE_SERVER = {
  citus: {
    "test/faults/postgres.test.ts":
      "starts and kills its own Postgres; test/operations kills the nodes of a cluster",
    "services/worker/src/internal-api/sources.test.ts":
      "a cluster has no such list (deploy/operations/cluster.md)",
  },
  redisCluster: {
    "packages/service-runtime/src/redis/connect-redis.test.ts": "of a connection to one server",
  },
  both: {
    "test/e2e/operator/doctor.test.ts": "uses the stores that a local stack starts for itself",
  },
};

const NO_TRIGGER =
  "a trigger makes the statement or its commit fail, and Citus takes none on a distributed table";

/** Tests, or blocks of them, that don't apply to Citus, by their files. */
export const TESTS_OF_ONE_POSTGRES: Readonly<
  Record<string, { readonly tests: readonly string[]; readonly why: string }>
> = {
  "packages/audit/src/list-audit.test.ts": {
    tests: ["listing the audit log, unfiltered or by shop, client, merchant or actor"],
    why: "each shard has such a plan, and the statement's own says only which shards are asked",
  },
  "packages/connections/src/lists/estimate-connections.test.ts": {
    tests: ["the connections in a large table are estimated from a sample, to within a fifth"],
    why: "no node knows the table's size, so all are counted (deploy/operations/cluster.md)",
  },
  "packages/connections/src/refresh.test.ts": {
    tests: [
      "refreshes in one turn of the event loop share a statement",
      "a single refresh reuses its plan",
      "an update of last_used_at that waits for a lock doesn't delay other refreshes",
    ],
    why: "reads what one Postgres counts of a table and its plans, or locks a row by its time",
  },
  "packages/database/src/citus/placements.test.ts": {
    tests: ["distributing is refused on a Postgres without the extension citus"],
    why: "here it has the extension",
  },
  "packages/database/src/roles/role-settings.test.ts": {
    tests: ["each session of a service's role has the role's settings"],
    why: "plan_cache_mode is another one (citus.cluster.test.ts)",
  },
  "packages/operator-cli/src/commands/connection.test.ts": {
    tests: ["a bulk revocation that fails halfway reports how many connections it ended"],
    why: NO_TRIGGER,
  },
  "packages/operator-cli/src/commands/keys.test.ts": {
    tests: ["if only the commit of the audit record fails, a change of keys"],
    why: NO_TRIGGER,
  },
  "services/authorization-server/src/consent/judged-at-commit.test.ts": {
    tests: ["an approval whose commit has begun succeeds, because the change waits for the commit"],
    why: NO_TRIGGER,
  },
  "services/authorization-server/src/consent/one-decision.test.ts": {
    tests: [
      "can still be decided after Postgres lost the session",
      "a decline waits for the commit",
    ],
    why: NO_TRIGGER,
  },
  "services/authorization-server/src/pages/faults.test.ts": {
    tests: ["an exchange whose tokens Redis can't store still returns valid tokens"],
    why: NO_TRIGGER,
  },
  "services/worker/src/internal-api/sync-product.test.ts": {
    tests: ["the example program drops sources whose shop is being erased"],
    why: "a cluster has no list of sources (deploy/operations/cluster.md)",
  },
};
