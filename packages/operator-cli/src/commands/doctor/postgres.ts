import { statfs } from "node:fs/promises";
import type { Sql } from "@partner-connect/database";
import { type Check, findingOf, type Problem, problemIf } from "./system.ts";

const LEAST_VERSION = 18;

/** Checks the version and state of Postgres, and of a Citus cluster's nodes and connections. */
export const checkPostgres: Check = async ({ sql }) => {
  const ask = await sql();
  // Without fsync, full_page_writes or synchronous_commit, a crash of the machine may lose
  // acknowledged writes or the whole database.
  const [row] = await ask<
    [{ number: number; version: string; standby: boolean; writable: string | null; off: string[] }]
  >`
    SELECT current_setting('server_version_num')::int / 10000 AS number, current_setting('server_version') AS version,
      pg_is_in_recovery() AS standby,
      (SELECT CASE source WHEN 'database' THEN format('BEGIN READ WRITE; ALTER DATABASE %I RESET %s; COMMIT;', current_database(), name)
          ELSE format('ALTER SYSTEM RESET %s; SELECT pg_reload_conf();', name) END
        FROM pg_settings WHERE name = 'default_transaction_read_only' AND setting = 'on') AS writable,
      ARRAY(SELECT name FROM pg_settings WHERE setting = 'off'
        AND name IN ('autovacuum', 'fsync', 'full_page_writes', 'synchronous_commit') ORDER BY 1)::text[] AS off`;
  const { number, version } = row;
  const makeWritable = (!row.standby && row.writable) || "";
  return findingOf(`Postgres ${version}, the primary`, [
    ...problemIf(
      number < LEAST_VERSION,
      `Postgres ${version} is older than ${LEAST_VERSION}`,
      `Postgres ${LEAST_VERSION} or newer`,
    ),
    ...problemIf(row.standby, "DATABASE_URL names a standby", "name the primary there"),
    ...problemIf(
      makeWritable !== "",
      "default_transaction_read_only is on",
      `unless another server is the primary: ${makeWritable}`,
    ),
    ...row.off.map(
      (name): Problem => [
        `${name} is off`,
        `ALTER SYSTEM SET ${name} = on; SELECT pg_reload_conf();`,
      ],
    ),
    ...(await standbyProblems(ask)),
    ...(await clusterProblems(ask)),
  ]);
};

/** Reports if too few standbys follow, so that commits wait for a confirmation. */
async function standbyProblems(sql: Sql): Promise<Problem[]> {
  const [{ names, following, waiting }] = await sql<
    [{ names: string; following: number; waiting: number }]
  >`
    SELECT current_setting('synchronous_standby_names') AS names,
      (SELECT count(*)::int FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) AS following,
      (SELECT count(*)::int FROM pg_stat_activity WHERE wait_event = 'SyncRep') AS waiting`;
  // `ANY 1 (a, b)`, `FIRST 2 (a, b)`, `2 (a, b)` or `a, b`.
  const needed = names === "" ? 0 : Number(/(\d+)\s*\(/.exec(names)?.[1] ?? 1);
  const found = `${following} of ${needed} standbys that '${names}' needs follow, so no commit returns; ${waiting} wait`;
  const remedy =
    "start the standby; after a restore, or while there is none: ALTER SYSTEM SET synchronous_standby_names = ''; SELECT pg_reload_conf();";
  return problemIf(following < needed, found, remedy);
}

async function clusterProblems(sql: Sql): Promise<Problem[]> {
  const database = await import("@partner-connect/database");
  const remedy =
    "start and connect the nodes; 'partner-connect migrate --distribute' distributes tables and rebuilds indexes; for other problems see deploy/operations/cluster.md";
  return (await database.clusterProblems(sql)).map((problem) => [problem, remedy]);
}

/** Age at which an unarchived WAL file means that archiving has stopped: normally it is seconds. */
const ARCHIVED_WITHIN_MINUTES = 10;

/** Checks archiving. While it fails or hangs, new data are in no backup, and WAL fills the disk. */
export const checkArchive: Check = async ({ sql }) => {
  const ask = await sql();
  const [row] = await ask<
    [{ archives: boolean; at: Date | null; fails: boolean | null; seesFiles: boolean }]
  >`
    SELECT current_setting('archive_mode') <> 'off' AS archives, last_archived_time AS at,
      last_failed_time > coalesce(last_archived_time, '-infinity') AS fails,
      has_function_privilege('pg_ls_archive_statusdir()', 'EXECUTE') AS "seesFiles"
    FROM pg_stat_archiver`;
  if (!row.archives) {
    const off = "archive_mode is off, so no restore to a point in time is possible";
    const setUp = "for production, set up archiving: deploy/operations/postgres.md, 'Backup'";
    return findingOf("", [], [[off, setUp]]);
  }
  // Only members of pg_monitor may list the files that wait.
  const [waiting] = row.seesFiles
    ? await ask<{ files: number }[]>`
        SELECT count(*)::int AS files FROM pg_ls_archive_statusdir()
        WHERE name LIKE '%.ready' AND modification < now() - make_interval(mins => ${ARCHIVED_WITHIN_MINUTES})`
    : [];
  const files = waiting?.files ?? 0;
  const last =
    row.at === null
      ? "no file was archived since Postgres's statistics were reset"
      : `the last file was archived at ${row.at.toISOString()}`;
  const wait = `${files} files wait for archive_command for over ${ARCHIVED_WITHIN_MINUTES} min; ${last}`;
  const remedy =
    "read the errors of archive_command in Postgres's log; check its process, and the repository's disk and network";
  return findingOf(last, [
    ...problemIf(row.fails === true, `archive_command fails; ${last}`, remedy),
    ...problemIf(files > 0, wait, remedy),
  ]);
};

/**
 * Maximum dead rows of survey.stamps, as in the alert PostgresOldSnapshot. Each write of a shop
 * leaves one, which vacuum can't remove while an old snapshot is open.
 */
const MOST_DEAD_ROWS = 10_000;
/** Maximum minutes of an idle transaction, which blocks vacuum and the locks of migrations. */
const LONGEST_IDLE_MINUTES = 5;

/**
 * Finds sessions, prepared transactions and replication slots whose snapshot keeps vacuum from
 * removing dead rows.
 */
export const checkSnapshots: Check = async ({ sql }) => {
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
  const oldest = dead > MOST_DEAD_ROWS ? holders[0] : undefined;
  const found = `${dead} dead rows in survey.stamps`;
  const remedy = oldest?.remedy ?? "VACUUM survey.stamps, survey.responses;";
  const isOpen = ({ who, seconds }: { who: string; seconds: number }) =>
    `${who} has a transaction open for ${Math.round(seconds / 60)} min`;
  return findingOf(found, [
    ...problemIf(dead > MOST_DEAD_ROWS, oldest ? `${found}, kept by ${oldest.who}` : found, remedy),
    ...holders.flatMap((holder) =>
      problemIf(holder.idle && holder !== oldest, isOpen(holder), holder.remedy),
    ),
  ]);
};

/** Shares of free disk space: the thresholds of the alerts DiskFull and DiskFillsUp. */
const FULL = 0.07;
const FILLS_UP = 0.2;
/** Maximum WAL in multiples of `max_wal_size`: it stays near that size unless files are kept. */
const WAL_FACTOR = 3;

/** Checks how much WAL Postgres keeps, and its free disk space if it runs on this machine. */
export const checkDisk: Check = async ({ sql }) => {
  const ask = await sql();
  const [{ wal, most, folder, here, slot }] = await ask<
    [
      {
        wal: number | null;
        most: number;
        folder: string | null;
        here: boolean;
        slot: string | null;
      },
    ]
  >`SELECT CASE WHEN has_function_privilege('pg_ls_waldir()', 'EXECUTE') THEN (SELECT sum(size) FROM pg_ls_waldir()) END::float8 AS wal,
      pg_size_bytes(current_setting('max_wal_size'))::float8 AS most,
      (SELECT setting FROM pg_settings WHERE name = 'data_directory') AS folder,
      coalesce(inet_server_addr() <<= '127.0.0.0/8' OR inet_server_addr() = '::1', true) AS here,
      (SELECT slot_name FROM pg_replication_slots WHERE restart_lsn IS NOT NULL ORDER BY restart_lsn LIMIT 1) AS slot`;
  // null if Postgres runs on another machine
  const disk = here && folder !== null ? await statfs(folder).catch(() => null) : null;
  const free = disk ? disk.bavail / disk.blocks : 1;
  const share = `${Math.round(free * 100)} %`;
  const kept =
    wal === null
      ? "the user of DATABASE_URL is no member of pg_monitor"
      : `${gigabytes(wal)} of WAL`;
  const low = [
    `${share} of the disk of ${folder} is free`,
    "deploy/operations/alerts.md, 'DiskFull'",
  ] as const;
  const isMuch = wal !== null && wal > WAL_FACTOR * most;
  const much = `${kept}, and max_wal_size is ${gigabytes(most)}${slot ? `; the slot ${slot} keeps the oldest` : ""}`;
  const remedy =
    "check that archive_command works and that the standbys follow; drop an unused slot: SELECT pg_drop_replication_slot('…');";
  return findingOf(
    disk ? `${kept}, ${share} of the disk is free` : kept,
    [...problemIf(free < FULL, ...low), ...problemIf(isMuch, much, remedy)],
    problemIf(free >= FULL && free < FILLS_UP, ...low),
  );
};

const gigabytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GB`;
