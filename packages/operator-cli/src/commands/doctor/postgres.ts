import assert from "node:assert/strict";
import { statfs } from "node:fs/promises";
import type { Sql } from "@partner-connect/database";
import { type Finding, judge, type Problem, type System, when } from "./system.ts";

const LEAST_VERSION = 18;

/** Without these an acknowledged write may be lost, or the database, when the machine stops. */
const DURABILITY = ["fsync", "full_page_writes", "synchronous_commit"] as const;

/** Its version and state; of a Citus cluster also that the nodes reach each other, and are each as one Postgres should be. */
export async function postgres({ sql }: System): Promise<Finding> {
  const ask = await sql();
  const [row] = await ask<{ number: number; version: string; standby: boolean; readonly: string; vacuums: string }[]>`
    SELECT current_setting('server_version_num')::int / 10000 AS number, current_setting('server_version') AS version,
      pg_is_in_recovery() AS standby, current_setting('default_transaction_read_only') AS readonly,
      current_setting('autovacuum') AS vacuums`;
  assert(row, "a SELECT without FROM returned no row");
  const primary = "name the primary in DATABASE_URL";
  const off = await ask<{ name: string }[]>`
    SELECT name FROM pg_settings WHERE name = ANY (${DURABILITY}::text[]) AND setting = 'off' ORDER BY 1`;
  return judge(`Postgres ${row.version}, the primary`, [
    ...when(
      row.number < LEAST_VERSION,
      `Postgres ${row.version} is older than ${LEAST_VERSION}`,
      `Postgres ${LEAST_VERSION} or newer`,
    ),
    ...when(row.standby, "DATABASE_URL leads to a standby", primary),
    ...when(row.readonly === "on", "default_transaction_read_only is on", primary),
    ...[...off.map(({ name }) => name), ...(row.vacuums === "off" ? ["autovacuum"] : [])].map(
      (name) => [`${name} is off`, `ALTER SYSTEM SET ${name} = on; SELECT pg_reload_conf();`] as const,
    ),
    ...(await standbyProblems(ask)),
    ...(await clusterProblems(ask)),
  ]);
}

/** Without a standby that confirms it, a commit would wait for ever. */
async function standbyProblems(sql: Sql): Promise<Problem[]> {
  const [row] = await sql<{ names: string; following: number; waiting: number }[]>`
    SELECT current_setting('synchronous_standby_names') AS names,
      (SELECT count(*)::int FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) AS following,
      (SELECT count(*)::int FROM pg_stat_activity WHERE wait_event = 'SyncRep') AS waiting`;
  assert(row, "a SELECT without FROM returned no row");
  const { names, following, waiting } = row;
  if (names === "") return [];
  // `ANY 1 (a, b)`, `FIRST 2 (a, b)`, `2 (a, b)` or `a, b`.
  const needed = Number(/(\d+)\s*\(/.exec(names)?.[1] ?? 1);
  const found = `${following} of ${needed} that '${names}' needs follow, so no write ends; ${waiting} wait`;
  const remedy =
    "start the standby; after a restore, or while there is none: ALTER SYSTEM SET synchronous_standby_names = ''; SELECT pg_reload_conf();";
  return when(following < needed, found, remedy);
}

async function clusterProblems(sql: Sql): Promise<Problem[]> {
  const { clusterState } = await import("@partner-connect/database");
  const remedy =
    "start and connect the nodes; partner-connect migrate --distribute distributes tables and builds indexes again; the rest: deploy/operations/cluster.md";
  return ((await clusterState(sql))?.problems ?? []).map((problem) => [problem, remedy]);
}

/** A file of WAL that is ready is archived at once. */
const ARCHIVED_WITHIN_MINUTES = 10;

/** While archiving fails or hangs, nothing that happens is in a backup, and the disk fills up with WAL. */
export async function archive({ sql }: System): Promise<Finding> {
  const ask = await sql();
  const [row] = await ask<{ archives: boolean; last: Date | null; fails: boolean | null; seesFiles: boolean }[]>`
    SELECT current_setting('archive_mode') <> 'off' AS archives, last_archived_time AS last,
      last_failed_time > coalesce(last_archived_time, '-infinity') AS fails,
      has_function_privilege('pg_ls_archive_statusdir()', 'EXECUTE') AS "seesFiles"
    FROM pg_stat_archiver`;
  assert(row, "pg_stat_archiver has one row");
  if (!row.archives) {
    const off = "archive_mode is off: there is no backup to a point in time";
    return judge("", [], [[off, "where the data matters, set it up: deploy/operations/postgres.md, 'Backup'"]]);
  }
  // A role that is not a member of pg_monitor can't see what waits.
  const [waiting] = row.seesFiles
    ? await ask<{ files: number }[]>`
        SELECT count(*)::int AS files FROM pg_ls_archive_statusdir()
        WHERE name LIKE '%.ready' AND modification < now() - make_interval(mins => ${ARCHIVED_WITHIN_MINUTES})`
    : [];
  const files = waiting?.files ?? 0;
  const last =
    row.last === null ? "none was archived since Postgres began to count" : `last at ${row.last.toISOString()}`;
  const remedy =
    "Postgres's log has what archive_command says; look at its process, and at the repository's disk and network";
  return judge(last, [
    ...when(row.fails === true, `archive_command fails; ${last}`, remedy),
    ...when(
      files > 0,
      `${files} files wait for archive_command for over ${ARCHIVED_WITHIN_MINUTES} min; ${last}`,
      remedy,
    ),
  ]);
}

/** As the alert PostgresOldSnapshot: each write of a shop leaves a dead version of its lock. */
const MOST_DEAD_VERSIONS = 10_000;
/** A transaction that is idle for longer keeps Postgres from cleaning up, and migrations from their locks. */
const LONGEST_IDLE_MINUTES = 5;

/** Who keeps a snapshot that vacuum waits for. */
export async function snapshots({ sql }: System): Promise<Finding> {
  const ask = await sql();
  const [table] = await ask<{ dead: number }[]>`
    SELECT n_dead_tup::float8 AS dead FROM pg_stat_user_tables
    WHERE relid = 'survey.stamps'::regclass AND n_dead_tup > n_live_tup`;
  const dead = table?.dead ?? 0;
  const holders = await ask<{ who: string; seconds: number; idle: boolean; remedy: string }[]>`
    SELECT format('pid %s (%s %s, %s)', pid, usename, application_name, state) AS who,
      extract(epoch FROM now() - xact_start)::float8 AS seconds,
      state LIKE 'idle in transaction%' AND now() - state_change > make_interval(mins => ${LONGEST_IDLE_MINUTES}) AS idle,
      CASE backend_type WHEN 'walsender' THEN format('end the long queries of the standby %s', application_name)
        ELSE format('SELECT pg_terminate_backend(%s);', pid) END AS remedy
    FROM pg_stat_activity
    WHERE (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL) AND backend_type <> 'autovacuum worker' AND pid <> pg_backend_pid()
    UNION ALL
    SELECT format('the prepared transaction %s', gid), extract(epoch FROM now() - prepared), false,
      format('ROLLBACK PREPARED %L;', gid) FROM pg_prepared_xacts
    UNION ALL
    SELECT format('the replication slot %s', slot_name), 'infinity', false,
      format('SELECT pg_drop_replication_slot(%L);', slot_name) FROM pg_replication_slots WHERE xmin IS NOT NULL
    ORDER BY seconds DESC NULLS LAST`;
  const [oldest] = holders;
  const isFull = dead > MOST_DEAD_VERSIONS;
  const idle = holders.filter((holder) => holder.idle && !(isFull && holder === oldest));
  const found = `${dead} dead versions of the shops' locks`;
  const vacuum = "VACUUM survey.stamps, survey.responses;";
  return judge(found, [
    ...when(isFull, oldest ? `${found}, for ${oldest.who}` : found, oldest?.remedy ?? vacuum),
    ...idle.map(
      ({ who, seconds, remedy }) =>
        [`${who} has a transaction open for ${Math.round(seconds / 60)} min`, remedy] as const,
    ),
  ]);
}

/** As the alerts DiskFull and DiskFillsUp. */
const FULL = 0.07;
const FILLS_UP = 0.2;
/** WAL takes `max_wal_size` and little more, unless something keeps it. */
const WAL_FACTOR = 3;

/** The WAL that Postgres keeps, and its disk where that is this machine's. */
export async function disk({ sql }: System): Promise<Finding> {
  const ask = await sql();
  const [row] = await ask<{ wal: number | null; most: number; folder: string | null; here: boolean }[]>`
    SELECT CASE WHEN has_function_privilege('pg_ls_waldir()', 'EXECUTE') THEN (SELECT sum(size) FROM pg_ls_waldir()) END::float8 AS wal,
      pg_size_bytes(current_setting('max_wal_size'))::float8 AS most,
      (SELECT setting FROM pg_settings WHERE name = 'data_directory') AS folder,
      coalesce(inet_server_addr() <<= '127.0.0.0/8' OR inet_server_addr() = '::1', true) AS here`;
  assert(row, "a SELECT without FROM returned no row");
  const free = row.here && row.folder !== null ? await freeShare(row.folder) : null;
  const found = [
    row.wal === null ? "the user of DATABASE_URL is no member of pg_monitor" : `${gigabytes(row.wal)} of WAL`,
    ...(free === null ? [] : [`${percent(free)} of the disk are free`]),
  ].join(", ");
  const isLow = free !== null && free < FILLS_UP;
  const low: Problem = [
    `${percent(free ?? 0)} of the disk of ${row.folder} are free`,
    "deploy/operations/alerts.md, 'DiskFull'",
  ];
  const problems: Problem[] = free !== null && free < FULL ? [low] : [];
  if (row.wal !== null && row.wal > WAL_FACTOR * row.most) {
    const slots = await ask<{ name: string; bytes: number }[]>`
      SELECT slot_name AS name, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 AS bytes
      FROM pg_replication_slots WHERE restart_lsn IS NOT NULL ORDER BY restart_lsn LIMIT 1`;
    const by = slots.map(({ name, bytes }) => `; the slot ${name} keeps ${gigabytes(bytes)}`).join("");
    problems.push([
      `${gigabytes(row.wal)} of WAL, and max_wal_size is ${gigabytes(row.most)}${by}`,
      "see that archive_command works and that the standbys follow; a slot that nobody uses any more: SELECT pg_drop_replication_slot('…');",
    ]);
  }
  return judge(found, problems, isLow && problems[0] !== low ? [low] : []);
}

/** Null: the folder is not this machine's. */
async function freeShare(folder: string): Promise<number | null> {
  return await statfs(folder).then(
    ({ bavail, blocks }) => bavail / blocks,
    () => null,
  );
}

const gigabytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GB`;
const percent = (share: number): string => `${Math.round(share * 100)} %`;
