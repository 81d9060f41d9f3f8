import type { Sql } from "../pool/sql.ts";
import { tablesToDistribute } from "./placements.ts";
import { isOnCitus, missingSettings } from "./settings.ts";

/**
 * Minimum `max_worker_processes` of a node: Citus uses one per database, and four or more to move
 * shards.
 */
const LEAST_WORKERS = 32;
/** Maximum minutes of a prepared transaction: Citus completes one within a minute. */
const LONGEST_MINUTES = 5;

/** The state of a node as JSON. On a worker node, an invalid index is one of a shard. */
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

/**
 * The problems of a cluster and its nodes; none on one Postgres. @throws {DistributionError} if a
 * table has no placement
 */
export async function clusterProblems(sql: Sql): Promise<string[]> {
  if (!(await isOnCitus(sql))) return [];
  const [nodes, health, tables, settings, states] = await Promise.all([
    sql<{ node: string; usable: boolean }[]>`
      SELECT nodename || ':' || nodeport AS node, isactive AND metadatasynced AS usable FROM pg_dist_node ORDER BY nodeid`,
    sql<{ way: string }[]>`
      SELECT format('%s:%s to %s:%s', from_nodename, from_nodeport, to_nodename, to_nodeport) AS way
      FROM citus_check_cluster_node_health() WHERE result IS NOT TRUE ORDER BY 1`,
    tablesToDistribute(sql),
    missingSettings(sql),
    sql<{ node: string; success: boolean; result: string }[]>`
      SELECT nodename || ':' || nodeport AS node, success, result
      FROM run_command_on_all_nodes(${ON_A_NODE}) JOIN pg_dist_node USING (nodeid) ORDER BY nodeid`,
  ]);
  return [
    ...nodes
      .filter(({ usable }) => !usable)
      .map(({ node }) => `${node} is not active, or doesn't know the tables`),
    ...health.map(({ way }) => `no connection from ${way}`),
    ...(tables.length > 0
      ? [`not distributed: ${tables.map(({ table }) => table).join(", ")}`]
      : []),
    ...settings.map((statement) => `not set: ${statement}`),
    ...states.flatMap(({ node, success, result }) =>
      success
        ? nodeProblems(JSON.parse(result)).map((problem) => `${node}: ${problem}`)
        : [`${node} does not answer`],
    ),
  ];
}

function nodeProblems({ off, workers, prepared, indexes }: NodeState): string[] {
  return [
    ...(off ?? []).map((name) => `${name} is off`),
    ...(workers < LEAST_WORKERS
      ? [`max_worker_processes ${workers}, and ${LEAST_WORKERS} are needed to move shards`]
      : []),
    ...(prepared > 0
      ? [`${prepared} transactions prepared for more than ${LONGEST_MINUTES} min`]
      : []),
    ...(indexes ? [`indexes not valid: ${indexes.join(", ")}`] : []),
  ];
}
