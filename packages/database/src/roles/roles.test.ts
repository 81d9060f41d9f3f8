import { expect, test } from "vitest";
import type { Sql } from "../pool/sql.ts";
import { suiteDatabase } from "../testing/suite.ts";
import { SERVICE_ROLES } from "./role-password.ts";

const database = await suiteDatabase();
const { sql, authorizationServer } = database;

/** Postgres's response to a statement: 'done', or the error. */
async function attempt(sql: Sql, statement: string): Promise<string> {
  return await sql.unsafe(statement).then(
    () => "done",
    (error: Error) => error.message,
  );
}

/** Privileges on columns, tables, functions and schemas, by the only services that have them. */
const RIGHTS = `
none:
  CREATE public directory oauth survey worker_jobs back_office_jobs
  INSERT directory.clients.name directory.client_members.client_id directory.product_keys.key_hash
  INSERT directory.merchants.password_hash
  UPDATE directory.clients.redirect_uris directory.clients.website directory.clients.logo
  UPDATE directory.client_secrets.secret_hash directory.product_keys.revoked_at
  UPDATE directory.memberships.merchant_id directory.shops.test_of directory.test_shops.shop_id
  UPDATE directory.merchant_links.expires_at directory.merchant_links.email
  UPDATE oauth.ended_connections.id oauth.audit_log.actor directory.audit_log.actor
  UPDATE oauth.webhooks.url survey.source_position.epoch
  DELETE directory.merchants oauth.audit_log directory.audit_log oauth.change_positions
  DELETE survey.source_position
  SELECT oauth.audit_log_default.event directory.audit_log_default.event
authorization_server:
  SELECT directory.merchants.password_hash directory.client_secrets.secret_hash
  SELECT directory.clients.logo directory.clients.website
  UPDATE directory.merchants.password_hash oauth.connections.grant_id
  UPDATE oauth.connections.refresh_token_hash
  INSERT directory.merchant_links.token_hash directory.merchant_identities.subject
  INSERT oauth.webhooks.url
  EXECUTE oauth.add_mail oauth.add_webhook_job oauth.add_test_shop_job
resource_server:
  SELECT directory.api_keys.key_hash survey.idempotency_keys.answer
  INSERT survey.sources.name
  UPDATE survey.sources.name oauth.api_usage.calls
worker:
  SELECT oauth.incoming_worker_jobs.data
  INSERT oauth.changes.number
  EXECUTE oauth.add_webhook_jobs
back_office:
  SELECT directory.product_keys.name oauth.audit_log.id oauth.audit_log.details
  SELECT directory.audit_log.id directory.audit_log.ip directory.audit_log.event
  SELECT directory.audit_log.request_id oauth.audit_log.request_id survey.source_position.number
  SELECT oauth.incoming_back_office_jobs.data
  INSERT directory.merchants.email oauth.ended_connections.id
  UPDATE directory.merchants.email directory.merchants.status directory.api_keys.revoked_at
  UPDATE survey.responses.doc survey.deleted_responses.deleted_at
  DELETE directory.shops directory.memberships directory.client_members directory.merchant_links
  DELETE oauth.connections oauth.ended_connections oauth.changes oauth.api_usage survey.responses
  DELETE survey.sources survey.deleted_responses
  EXECUTE oauth.erase_mails oauth.make_month oauth.drop_month
authorization_server worker back_office:
  SELECT directory.clients.name
authorization_server worker:
  SELECT oauth.webhooks.url oauth.webhooks.secrets oauth.webhooks.next_attempt_at
authorization_server back_office:
  SELECT oauth.ended_connections.refresh_token_hash directory.merchant_links.email
  SELECT directory.shops.created_at oauth.connections.refresh_token_hash
  SELECT oauth.connections.merchant_id oauth.connections.grant_id directory.clients.contact
  INSERT directory.memberships.merchant_id oauth.audit_log.event directory.audit_log.event
  UPDATE oauth.connections.status directory.merchant_links.used_at
resource_server back_office:
  EXECUTE directory.lock_shop
  SELECT survey.responses.doc survey.questions.doc survey.sources.name survey.deleted_responses.id
`;

const rights = RIGHTS.split(/\n(?=\S)/).flatMap((of) => {
  const [services = "", ...lines] = of.trim().split(/:?\n {2}/);
  return lines.map((line) => [services, ...line.split(" ")]);
});
test.each(rights)("the services that may $1 $2 are $0", async (services, privilege, ...objects) => {
  for (const object of objects) {
    const [schema, table, column] = object.split(".");
    const has =
      privilege === "CREATE"
        ? sql`has_schema_privilege(role, ${object}, 'CREATE')`
        : privilege === "EXECUTE"
          ? sql`has_function_privilege(role, ${object}::text::regproc, 'EXECUTE')`
          : column
            ? sql`has_column_privilege(role, ${`${schema}.${table}`}, ${column}, ${privilege})`
            : sql`has_table_privilege(role, ${object}, ${privilege})`;
    const roles =
      await sql`SELECT role FROM unnest(${[...SERVICE_ROLES]}::text[]) AS role WHERE ${has}`;
    expect([object, roles.map(({ role }) => role).join(" ") || "none"]).toEqual([object, services]);
  }
});

test("no service can change code that another role executes", async () => {
  const owned = await sql`
      SELECT classid::regclass, objid FROM pg_shdepend
      WHERE refobjid = ANY (SELECT oid FROM pg_roles WHERE rolname = ANY (${[...SERVICE_ROLES]}::text[])) AND deptype = 'o'`;
  expect(owned).toEqual([]);
  const attached = await sql`
      SELECT role, c.oid::regclass FROM unnest(${[...SERVICE_ROLES]}::text[]) AS role, pg_class c
      WHERE relkind IN ('r', 'p', 'v') AND relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema')
        AND has_table_privilege(role, c.oid, 'TRIGGER, REFERENCES, TRUNCATE, MAINTAIN')`;
  expect(attached).toEqual([]);
  // A temporary schema that is not named comes first, so its types would be used in casts.
  const definers = await sql`
      SELECT p.oid::regprocedure FROM pg_proc p
      WHERE (prosecdef OR proconfig::text LIKE '%search_path%')
        AND (NOT coalesce(proconfig @> '{"search_path=pg_catalog, pg_temp"}', false)
          OR proacl IS NULL OR EXISTS (SELECT FROM aclexplode(proacl) WHERE grantee = 0))
        AND pronamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema')`;
  expect(definers).toEqual([]);
});

test("the owner's functions don't use types that the calling role has created", async () => {
  const backOffice = database.connect(database.backOfficeUrl, { name: "test", connections: 1 });
  await backOffice.unsafe(`
      CREATE FUNCTION pg_temp.run(value pg_catalog.text) RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN RAISE 'runs as %', current_user; END $$;
      CREATE DOMAIN pg_temp.text AS pg_catalog.text CHECK (pg_temp.run(value));
      CREATE DOMAIN pg_temp.date AS pg_catalog.date CHECK (pg_temp.run(value::pg_catalog.text))`);
  expect(
    await attempt(backOffice, "SELECT oauth.make_month('oauth.audit_log', '2090-01-01')"),
  ).toBe("done");
  expect(await attempt(backOffice, "SELECT oauth.erase_mails('m', 's', 'c')")).toBe("done");
});

test("an ordinary shop can't become a client's test shop", async () => {
  await sql`INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types) VALUES ('c', 'C', '{}', '{}', '{}')`;
  await sql`INSERT INTO directory.shops (id, name, plan, test_of) VALUES ('real', 'R', 'standard', NULL), ('test', 'T', 'standard', 'c')`;
  const insert = (shop: string) =>
    `INSERT INTO directory.test_shops (client_id, slot, shop_id) VALUES ('c', 1, '${shop}')`;
  expect(await attempt(authorizationServer, insert("real"))).toMatch(
    /violates foreign key constraint/,
  );
  expect(await attempt(authorizationServer, insert("test"))).toBe("done");
});

test("the audit log is append-only, except that its owner can remove fields of details", async () => {
  await sql`
      INSERT INTO oauth.audit_log (shop_id, event, actor, details) VALUES ('s', 'shop_create', 'test', '{"name": "Hats", "plan": "standard"}')`;
  await sql`INSERT INTO directory.audit_log (event, actor) VALUES ('client_create', 'test')`;
  // This month's partitions are checked too. (On a cluster a row names its shard.)
  const parts = await sql<{ part: string }[]>`
      SELECT tableoid::regclass::text AS part FROM oauth.audit_log
      UNION ALL SELECT tableoid::regclass::text FROM directory.audit_log`;
  expect(parts).toHaveLength(2);
  for (const table of [
    "oauth.audit_log",
    "directory.audit_log",
    ...parts.map(({ part }) => part.replace(/_\d{6,}$/, "")),
  ]) {
    for (const statement of [
      `UPDATE ${table} SET actor = ''`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table}`,
    ]) {
      expect(await attempt(sql, statement)).toBe("the audit log is append-only");
    }
  }
  const change = (set: string) =>
    attempt(sql, `UPDATE oauth.audit_log SET ${set} WHERE shop_id = 's'`);
  for (const set of [
    `details = '{"name": "Another", "plan": "standard"}'`,
    `details = details - 'name' || '{"more": 1}'`,
    "actor = 'eve', details = details - 'name'",
    "details = NULL",
  ]) {
    expect(await change(set), set).toBe("the audit log is append-only");
  }
  await change("details = details - 'name'");
  expect(await sql`SELECT details FROM oauth.audit_log`).toEqual([
    { details: { plan: "standard" } },
  ]);
});
