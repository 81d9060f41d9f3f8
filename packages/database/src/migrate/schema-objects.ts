import type { Queries, Transaction } from "../pool/sql.ts";
import { ROLE_SETTINGS } from "../roles/role-settings.ts";

/**
 * An object of our schema: a table, column, index, constraint, trigger, function, or a service's
 * privilege.
 */
export interface SchemaObject {
  readonly kind: "table" | "column" | "index" | "constraint" | "trigger" | "function" | "grant";
  /** For a privilege, what follows GRANT: `SELECT (id) ON directory.shops TO worker`. */
  readonly name: string;
  /** The statement that creates an index, constraint, trigger or function. */
  readonly definition: string;
  /**
   * The statement that repairs an invalid index, a disabled trigger or an unvalidated constraint.
   */
  readonly repair: string | null;
}

/**
 * Selects our schemas' objects, except intact partitions (they come and go), Citus's objects and
 * `directory.schema_version()`.
 */
const OBJECTS = `
  WITH ours AS (SELECT oid, nspname, nspacl, nspowner FROM pg_namespace WHERE nspname IN ('directory', 'oauth', 'survey')),
  tables AS (
    SELECT c.oid, format('%I.%I', nspname, relname) AS name, relispartition AS is_part, relkind, relacl, relowner, reloptions,
      pg_get_expr(relpartbound, c.oid) IS DISTINCT FROM 'DEFAULT' AND relispartition AS is_month
    FROM pg_class c JOIN ours ON ours.oid = relnamespace WHERE relkind IN ('r', 'p', 'v', 'm', 'S')),
  functions AS (
    SELECT p.oid, p.oid::regprocedure::text AS name, proacl, proowner FROM pg_proc p JOIN ours ON ours.oid = pronamespace
    WHERE prokind IN ('f', 'p') AND proname <> 'schema_version'),
  acls AS (
    SELECT 'SCHEMA ' || nspname AS object, NULL::name AS attname, nspowner AS owner, acl.*
      FROM ours, aclexplode(coalesce(nspacl, acldefault('n', nspowner))) AS acl
    UNION ALL SELECT name, NULL, relowner, acl.* FROM tables, aclexplode(relacl) AS acl
    UNION ALL SELECT name, attname, relowner, acl.* FROM tables JOIN pg_attribute ON attrelid = tables.oid, aclexplode(attacl) AS acl
    UNION ALL SELECT 'FUNCTION ' || name, NULL, proowner, acl.*
      FROM functions, aclexplode(coalesce(proacl, acldefault('f', proowner))) AS acl)
  SELECT 'table' AS kind, name, concat_ws(' ', relkind, pg_get_partkeydef(oid), (
      SELECT string_agg(option, ' ' ORDER BY option) FROM unnest(reloptions) AS option
      WHERE option ~ '^(fillfactor|autovacuum_enabled)=')) AS definition, NULL AS repair
    FROM tables WHERE NOT is_part
  UNION ALL
  SELECT 'column', format('%s.%I', name, attname), concat_ws(' ', format_type(atttypid, atttypmod),
      'COLLATE ' || nullif(attcollation, 0)::regcollation, CASE WHEN attnotnull THEN 'NOT NULL' END,
      'DEFAULT ' || pg_get_expr(adbin, adrelid)), NULL
    FROM tables JOIN pg_attribute ON attrelid = tables.oid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attnum > 0 AND NOT attisdropped AND NOT is_part
  UNION ALL
  SELECT 'index', indexrelid::regclass::text, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') || ';',
      CASE WHEN NOT (indisvalid AND indisready) THEN format('REINDEX INDEX CONCURRENTLY %s;', indexrelid::regclass) END
    FROM tables JOIN pg_index ON indrelid = tables.oid
    WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
      AND (NOT is_part OR NOT (indisvalid AND indisready))
      AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index AS now WHERE now.index_relid = indexrelid)
  UNION ALL
  SELECT 'constraint', format('%I on %s', conname, name), format('ALTER TABLE %s ADD CONSTRAINT %I %s;', name, conname,
      regexp_replace(pg_get_constraintdef(c.oid), ' NOT VALID$', '')),
      CASE WHEN NOT convalidated THEN format('ALTER TABLE %s VALIDATE CONSTRAINT %I;', name, conname)
        WHEN NOT (indisvalid AND indisready) THEN format('REINDEX INDEX CONCURRENTLY %s;', indexrelid::regclass) END
    FROM tables JOIN pg_constraint c ON conrelid = tables.oid
      LEFT JOIN pg_index ON indexrelid = conindid AND contype IN ('p', 'u', 'x')
    WHERE contype <> 'n' AND (NOT is_part OR NOT convalidated OR NOT (indisvalid AND indisready))
  UNION ALL
  SELECT 'trigger', format('%I on %s', tgname, name), pg_get_triggerdef(t.oid) || ';',
      CASE WHEN tgenabled IN ('D', 'R') THEN format('ALTER TABLE %s ENABLE TRIGGER %I;', name, tgname) END
    FROM tables JOIN pg_trigger t ON tgrelid = tables.oid
    WHERE NOT tgisinternal AND (NOT is_month OR tgenabled IN ('D', 'R'))
  UNION ALL
  SELECT 'function', name, pg_get_functiondef(oid) || ';', NULL FROM functions
  UNION ALL
  SELECT 'grant', format('%s%s ON %s TO %s', privilege_type,
      ' (' || string_agg(attname, ', ' ORDER BY attname COLLATE "C") || ')', object, coalesce(rolname, 'PUBLIC')), '', NULL
    FROM acls LEFT JOIN pg_roles ON pg_roles.oid = grantee
    WHERE grantee <> owner AND (grantee = 0 OR rolname = ANY ($1::text[]))
    GROUP BY object, privilege_type, rolname
  ORDER BY 1, 2`;

export async function schemaObjects(sql: Queries): Promise<readonly SchemaObject[]> {
  return await sql.unsafe<SchemaObject[]>(OBJECTS, [Object.keys(ROLE_SETTINGS)]);
}

/** The table of objects that the migrations created, for comparison. */
export const RECORDED_OBJECTS = "public.schema_objects";

/** Records the differences from `before`: what a migration created or dropped. */
export async function recordObjects(tx: Transaction, before: readonly SchemaObject[]) {
  const after = await schemaObjects(tx);
  const [former, present] = [mapByKey(before), mapByKey(after)];
  const gone = before.filter((object) => !present.has(keyOf(object)));
  const made = after.filter(
    (object) => former.get(keyOf(object))?.definition !== object.definition,
  );
  const changed = [...gone, ...made];
  await tx.unsafe(
    `DELETE FROM ${RECORDED_OBJECTS} WHERE (kind, name) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    [changed.map(({ kind }) => kind), changed.map(({ name }) => name)],
  );
  await tx.unsafe(
    `INSERT INTO ${RECORDED_OBJECTS} SELECT * FROM unnest($1::text[], $2::text[], $3::text[])`,
    [
      made.map(({ kind }) => kind),
      made.map(({ name }) => name),
      made.map(({ definition }) => definition),
    ],
  );
}

/** Compares the database with what the migrations created. */
export async function schemaDifferences(sql: Queries) {
  const recorded = await sql.unsafe<Omit<SchemaObject, "repair">[]>(
    `SELECT kind, name, definition FROM ${RECORDED_OBJECTS} ORDER BY 1, 2`,
  );
  const present = await schemaObjects(sql);
  const [wanted, found] = [mapByKey(recorded), mapByKey(present)];
  return {
    missing: recorded.filter((object) => !found.has(keyOf(object))),
    changed: recorded.filter(
      (object) => (found.get(keyOf(object))?.definition ?? object.definition) !== object.definition,
    ),
    /** Objects that are present but don't work. */
    broken: present.filter(({ repair }) => repair !== null),
    /** Objects that no migration created. */
    added: present.filter((object) => !wanted.has(keyOf(object))),
  };
}

function keyOf({ kind, name }: Pick<SchemaObject, "kind" | "name">): string {
  return `${kind} ${name}`;
}

function mapByKey<T extends Pick<SchemaObject, "kind" | "name">>(objects: readonly T[]) {
  return new Map(objects.map((object) => [keyOf(object), object]));
}
