import type { Sql } from "@partner-connect/database";
import type { Check } from "../../check.ts";
import { fine, unless } from "../../finding.ts";

/** Processes in the background that each node needs room for: Citus takes one a database, and four and more to move shards. */
const LEAST_WORKERS = 32;
/** A transaction over several nodes that was begun and not ended is completed by Citus within a minute. */
const LONGEST_MINUTES = 5;

/** Asked on every node. An index that is not valid there is one of a shard. */
const ON_A_NODE = `
  SELECT json_build_object(
    'off', (SELECT json_agg(name) FROM pg_settings
      WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off'),
    'workers', current_setting('max_worker_processes')::int,
    'prepared', (SELECT count(*) FROM pg_prepared_xacts
      WHERE database = current_database() AND prepared < now() - interval '${LONGEST_MINUTES} minutes'),
    'indexes', (SELECT json_agg(indexrelid::regclass) FROM pg_index JOIN pg_class c ON c.oid = indexrelid
      WHERE NOT (indisvalid AND indisready) AND c.relnamespace::regnamespace::text IN ('directory', 'oauth', 'survey')
      AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = indexrelid)))`;

interface NodeState {
  readonly off: readonly string[] | null;
  readonly workers: number;
  readonly prepared: number;
  readonly indexes: readonly string[] | null;
}

/** Of a Citus cluster: whether the nodes reach each other, know all tables, and are each as one Postgres should be. */
export const cluster: Check = {
  name: "cluster",
  async look({ sql }) {
    const ask = await sql();
    const { isOnCluster } = await import("@partner-connect/database");
    if (!(await isOnCluster(ask))) return fine("one Postgres, no cluster");
    const [nodes, health, tables, states] = await Promise.all([
      ask<{ node: string; usable: boolean }[]>`
        SELECT nodename || ':' || nodeport AS node, isactive AND metadatasynced AS usable FROM pg_dist_node ORDER BY nodeid`,
      ask<{ way: string }[]>`
        SELECT format('%s:%s to %s:%s', from_nodename, from_nodeport, to_nodename, to_nodeport) AS way
        FROM citus_check_cluster_node_health() WHERE result IS NOT TRUE ORDER BY 1`,
      tableProblems(ask),
      ask<{ node: string; success: boolean; result: string }[]>`
        SELECT nodename || ':' || nodeport AS node, success, result
        FROM run_command_on_all_nodes(${ON_A_NODE}) JOIN pg_dist_node USING (nodeid) ORDER BY nodeid`,
    ]);
    const problems = [
      ...nodes.filter(({ usable }) => !usable).map(({ node }) => `${node} is not active, or doesn't know the tables`),
      ...health.map(({ way }) => `no connection from ${way}`),
      ...tables,
      ...states.flatMap(({ node, success, result }) =>
        success
          ? nodeProblems(JSON.parse(result)).map((problem) => `${node}: ${problem}`)
          : [`${node} does not answer`],
      ),
    ];
    return unless(
      problems,
      `${nodes.length} nodes, each reaches the others`,
      "start and connect the nodes; partner-connect migrate --distribute distributes tables and builds indexes again; the rest: deploy/operations/scaling.md",
    );
  },
};

async function tableProblems(sql: Sql): Promise<string[]> {
  const { tablesToDistribute } = await import("@partner-connect/database");
  const tables = (await tablesToDistribute(sql)).map(({ table }) => table);
  return tables.length > 0 ? [`not distributed: ${tables.join(", ")}`] : [];
}

function nodeProblems({ off, workers, prepared, indexes }: NodeState): string[] {
  return [
    ...(off ?? []).map((name) => `${name} is off`),
    ...(workers < LEAST_WORKERS
      ? [`max_worker_processes ${workers}, and ${LEAST_WORKERS} are needed to move shards`]
      : []),
    ...(prepared > 0 ? [`${prepared} transactions prepared for more than ${LONGEST_MINUTES} min`] : []),
    ...(indexes ? [`indexes not valid: ${indexes.join(", ")}`] : []),
  ];
}
