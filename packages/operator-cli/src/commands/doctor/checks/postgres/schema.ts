import { type Finding, fine, type System, unless, wrong } from "../../system.ts";

export async function migrations({ sql }: System): Promise<Finding> {
  const { schemaState } = await import("@partner-connect/database");
  const { applied, pending, foreign } = await schemaState(await sql());
  if (foreign !== null) {
    return wrong(
      `another version has migrated the database: ${foreign}`,
      "use the command line and the services of that version",
    );
  }
  if (pending.length === 0) return fine(`all ${applied} applied`);
  return wrong(`not applied: ${pending.join(", ")}`, "partner-connect migrate");
}

/** An index that CONCURRENTLY began and did not end costs every write, and serves no query. */
export async function indexes({ sql }: System): Promise<Finding> {
  const rows = await (await sql())<{ name: string; remedy: string }[]>`
    SELECT indexrelid::regclass::text AS name, format(
      CASE WHEN EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
        THEN 'REINDEX INDEX CONCURRENTLY %s;' ELSE 'DROP INDEX CONCURRENTLY %s;' END, indexrelid::regclass) AS remedy
    FROM pg_index JOIN pg_class c ON c.oid = indexrelid
    WHERE NOT (indisvalid AND indisready) AND c.relnamespace::regnamespace::text IN ('directory', 'oauth', 'survey')
    AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = indexrelid)
    ORDER BY 1`;
  const problems = rows.length > 0 ? [`not valid: ${rows.map(({ name }) => name).join(", ")}`] : [];
  const remedies = rows.map(({ remedy }) => remedy).join(" ");
  return unless(problems, "all valid", `partner-connect migrate makes its own again; one of others: ${remedies}`);
}

/** Triggers hold what tables promise, such as that the audit log is only added to. The owner can switch them off, as some restores do. */
export async function triggers({ sql }: System): Promise<Finding> {
  const rows = await (await sql())<{ name: string; relation: string }[]>`
    SELECT quote_ident(tgname) AS name, tgrelid::regclass::text AS relation FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
    WHERE tgenabled IN ('D', 'R') AND NOT tgisinternal
      AND c.relnamespace::regnamespace::text IN ('directory', 'oauth', 'survey') ORDER BY 2, 1`;
  return unless(
    rows.map(({ name, relation }) => `switched off: ${name} of ${relation}`),
    "all on",
    rows.map(({ name, relation }) => `ALTER TABLE ${relation} ENABLE TRIGGER ${name};`).join(" "),
  );
}

export async function constraints({ sql }: System): Promise<Finding> {
  const rows = await (await sql())<{ name: string }[]>`
    SELECT format('%I on %s', conname, conrelid::regclass) AS name FROM pg_constraint
    WHERE NOT convalidated AND connamespace::regnamespace::text IN ('directory', 'oauth', 'survey') ORDER BY 1`;
  const problems = rows.map(({ name }) => `not validated: ${name}`);
  return unless(
    problems,
    "all validated",
    "partner-connect migrate validates them, or names the one that stored rows break",
  );
}

/** The free space that a refresh's update needs on its own page. */
const FILLFACTOR = 85;

export async function tableSettings({ sql }: System): Promise<Finding> {
  const [row] = await (await sql())<{ fillfactor: number | null; vacuums: boolean }[]>`
    SELECT (SELECT option_value::int FROM pg_options_to_table(reloptions) WHERE option_name = 'fillfactor') AS fillfactor,
      current_setting('autovacuum') = 'on' AND NOT EXISTS (
        SELECT FROM pg_class c, pg_options_to_table(c.reloptions) o
        WHERE c.relnamespace::regnamespace::text IN ('directory', 'oauth', 'survey')
          AND o.option_name = 'autovacuum_enabled' AND NOT o.option_value::bool) AS vacuums
    FROM pg_class WHERE oid = 'oauth.connections'::regclass`;
  if (row?.fillfactor !== FILLFACTOR) {
    return wrong(
      `oauth.connections has fillfactor ${row?.fillfactor ?? 100}, so refreshes touch every index`,
      `ALTER TABLE oauth.connections SET (fillfactor = ${FILLFACTOR});`,
    );
  }
  if (!row.vacuums) return wrong("autovacuum is off", "turn it on, for the server and for each table");
  return fine(`fillfactor ${FILLFACTOR}, autovacuum on`);
}

/** What each session of a service's role has: the planner's settings, and limits of time. Through a pooler there is no other way. */
export async function roleSettings({ sql }: System): Promise<Finding> {
  const { missingRoleSettings } = await import("@partner-connect/database");
  const missing = await missingRoleSettings(await sql());
  const problems = missing.length > 0 ? [`not as it should be: ${missing.map(settingOf).join(", ")}`] : [];
  return unless(problems, "all set", `partner-connect migrate, then restart the services; or: ${missing.join("; ")}`);
}

/** Of `ALTER ROLE role SET setting TO value`, perhaps in one database. */
function settingOf(statement: string): string {
  const [, role, setting] = /^ALTER ROLE (\S+) .*?SET (\S+) TO /.exec(statement) ?? [];
  return `${setting} of ${role}`;
}
