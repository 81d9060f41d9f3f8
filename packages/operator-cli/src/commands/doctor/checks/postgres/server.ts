import assert from "node:assert/strict";
import { told } from "../../ask-replicas.ts";
import { type Finding, fine, type System, unless } from "../../system.ts";

const LEAST = 18;

export async function postgresServer({ sql }: System): Promise<Finding> {
  const [row] = await (await sql())<{ number: number; version: string; standby: boolean; readonly: string }[]>`
    SELECT current_setting('server_version_num')::int / 10000 AS number, current_setting('server_version') AS version,
      pg_is_in_recovery() AS standby, current_setting('default_transaction_read_only') AS readonly`;
  assert(row, "a SELECT without FROM returned no row");
  const problems = [
    ...(row.number < LEAST ? [`Postgres ${row.version} is older than ${LEAST}`] : []),
    ...(row.standby ? ["DATABASE_URL leads to a standby"] : []),
    ...(row.readonly === "on" ? ["default_transaction_read_only is on"] : []),
  ];
  const remedy = `Postgres ${LEAST} or newer, and its primary: with several hosts in DATABASE_URL, target_session_attrs=read-write`;
  return unless(problems, `Postgres ${row.version}, the primary`, remedy);
}

/** Of a Citus cluster: whether the nodes reach each other, know all tables, and are each as one Postgres should be. */
export async function cluster({ sql }: System): Promise<Finding> {
  const { clusterState } = await import("@partner-connect/database");
  const state = await clusterState(await sql());
  if (state === null) return fine("one Postgres, no cluster");
  return unless(
    state.problems,
    `${state.nodes.length} nodes, each reaches the others`,
    "start and connect the nodes; partner-connect migrate --distribute distributes tables and builds indexes again; the rest: deploy/operations/scaling.md",
  );
}

/** Without these an acknowledged write may be lost, or the database, when the machine stops. */
const ON = ["fsync", "full_page_writes", "synchronous_commit"] as const;

export async function durability({ sql }: System): Promise<Finding> {
  const rows = await (await sql())<{ name: string; setting: string }[]>`
    SELECT name, setting FROM pg_settings WHERE name = ANY (${ON}::text[]) ORDER BY 1`;
  const off = rows.filter(({ setting }) => setting === "off").map(({ name }) => `${name} is off`);
  const found = rows.map(({ name, setting }) => `${name} ${setting}`).join(", ");
  return unless(off, found, "set them to on in postgresql.conf, and reload Postgres");
}

/** Without a standby that confirms it, a commit would wait for ever. */
export async function standbys({ sql }: System): Promise<Finding> {
  const [row] = await (await sql())<{ names: string; following: number; waiting: number }[]>`
    SELECT current_setting('synchronous_standby_names') AS names,
      (SELECT count(*)::int FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) AS following,
      (SELECT count(*)::int FROM pg_stat_activity WHERE wait_event = 'SyncRep') AS waiting`;
  assert(row, "a SELECT without FROM returned no row");
  const { names, following, waiting } = row;
  if (names === "") return fine("no commit waits for a standby");
  // `ANY 1 (a, b)`, `FIRST 2 (a, b)`, `2 (a, b)` or `a, b`.
  const needed = Number(/(\d+)\s*\(/.exec(names)?.[1] ?? 1);
  const found = `${following} of ${needed} that '${names}' needs follow`;
  return unless(
    following < needed ? [`${found}, so no write ends; ${waiting} wait`] : [],
    found,
    "start the standby; after a restore, or while there is none: ALTER SYSTEM SET synchronous_standby_names = ''; SELECT pg_reload_conf();",
  );
}

/** A file of WAL that is ready is archived at once. */
const ARCHIVED_WITHIN_MINUTES = 10;

/** While archiving fails or stands still, nothing that happens is in a backup, and the disk fills up with WAL. */
export async function archive({ sql }: System): Promise<Finding> {
  const ask = await sql();
  const [row] = await ask<{ archives: boolean; last: Date | null; fails: boolean | null; seesFiles: boolean }[]>`
    SELECT current_setting('archive_mode') <> 'off' AS archives, last_archived_time AS last,
      last_failed_time > coalesce(last_archived_time, '-infinity') AS fails,
      has_function_privilege('pg_ls_archive_statusdir()', 'EXECUTE') AS "seesFiles"
    FROM pg_stat_archiver`;
  assert(row, "pg_stat_archiver has one row");
  if (!row.archives) return fine("archive_mode is off: there is no backup to a point in time");
  // A role that is not of pg_monitor can't see what waits.
  const [waiting] = row.seesFiles
    ? await ask<{ files: number }[]>`
        SELECT count(*)::int AS files FROM pg_ls_archive_statusdir()
        WHERE name LIKE '%.ready' AND modification < now() - make_interval(mins => ${ARCHIVED_WITHIN_MINUTES})`
    : [];
  const files = waiting?.files ?? 0;
  const last =
    row.last === null ? "none was archived since Postgres began to count" : `last at ${row.last.toISOString()}`;
  return unless(
    [
      ...(row.fails ? [`archive_command fails; ${last}`] : []),
      ...(files > 0
        ? [`${files} files wait for archive_command for over ${ARCHIVED_WITHIN_MINUTES} min; ${last}`]
        : []),
    ],
    last,
    "Postgres's log has what archive_command says; look at its process, and at the repository's disk and network",
  );
}

/** Connections to Postgres of one replica, at most: as deploy/operations/scaling.md has them. */
const OF_AUTHORIZATION_SERVER = 3;
const OF_RESOURCE_SERVER = 7;
const OF_NOTIFIER = 5;
/** For the operator's command line, backups and people. */
const SPARE = 10;

export async function connectionLimit({ sql, answers }: System): Promise<Finding> {
  const [row] = await (await sql())<{ most: number; others: number }[]>`
    SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - current_setting('reserved_connections')::int AS most,
      (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
        AND usename NOT IN ('authorization_server', 'resource_server', 'notifier')) AS others`;
  assert(row, "a SELECT without FROM returned no row");
  const replicas = told(await answers("/keys")).map(({ text }) => {
    if (text.includes('"uses_keys"')) return OF_NOTIFIER;
    return text.includes('"published"') ? OF_AUTHORIZATION_SERVER : OF_RESOURCE_SERVER;
  });
  const needed = replicas.reduce((sum: number, one) => sum + one, 0);
  const found = `${row.most} allowed; ${replicas.length} replicas may take ${needed}, others have ${row.others}`;
  const problems = needed + row.others + SPARE > row.most ? [found] : [];
  return unless(problems, found, "raise max_connections, or put PgBouncer between (pool_mode=session)");
}

/** A transaction that stays open keeps Postgres from cleaning up, and migrations from their locks. */
const LONGEST_MINUTES = 5;

export async function idleTransactions({ sql }: System): Promise<Finding> {
  const rows = await (await sql())<{ pid: number; who: string; minutes: number }[]>`
    SELECT pid, usename || ' ' || application_name AS who, (extract(epoch FROM now() - state_change) / 60)::int AS minutes
    FROM pg_stat_activity
    WHERE state LIKE 'idle in transaction%' AND now() - state_change > make_interval(mins => ${LONGEST_MINUTES})
    ORDER BY state_change`;
  const problems = rows.map(
    ({ pid, who, minutes }) => `${who.trim()} (pid ${pid}) is idle in a transaction for ${minutes} min`,
  );
  const remedy = rows.map(({ pid }) => `SELECT pg_terminate_backend(${pid});`).join(" ");
  return unless(problems, `none idle for ${LONGEST_MINUTES} min`, remedy);
}

/** Each of them may have left a dead version of a row, which vacuum keeps for as long as an older snapshot. */
const MOST_TRANSACTIONS = 100_000;

export async function oldSnapshots({ sql }: System): Promise<Finding> {
  const rows = await (await sql())<{ who: string; age: number; remedy: string }[]>`
    SELECT who, age, remedy FROM (
      SELECT format('pid %s (%s %s, %s)', pid, usename, application_name, state) AS who, age(backend_xmin) AS age,
        CASE backend_type WHEN 'walsender' THEN format('end the long queries of the standby %s', application_name)
          ELSE format('SELECT pg_terminate_backend(%s);', pid) END AS remedy
      FROM pg_stat_activity WHERE backend_type <> 'autovacuum worker' AND pid <> pg_backend_pid()
      UNION ALL
      SELECT format('the prepared transaction %s', gid), age(transaction), format('ROLLBACK PREPARED %L;', gid) FROM pg_prepared_xacts
      UNION ALL
      SELECT format('the replication slot %s', slot_name), age(xmin), format('SELECT pg_drop_replication_slot(%L);', slot_name)
      FROM pg_replication_slots
    ) AS holders WHERE age > ${MOST_TRANSACTIONS} ORDER BY age DESC`;
  const problems = rows.map(({ who, age }) => `${who}, for ${age} transactions`);
  return unless(problems, "none that vacuum waits for", rows.map(({ remedy }) => remedy).join(" "));
}
