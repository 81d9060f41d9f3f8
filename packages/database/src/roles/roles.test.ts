import { describe, expect, test } from "vitest";
import { connectDatabase } from "../pool/connect.ts";
import type { Sql } from "../pool/sql.ts";
import { suiteDatabase } from "../testing/suite.ts";

const database = await suiteDatabase();
const authorizationServer = database.connect(database.authorizationServerUrl, { name: "test" });
const resourceServer = database.connect(database.resourceServerUrl, { name: "test" });
const worker = database.connect(database.workerUrl, { name: "test" });
const backOffice = database.connect(database.backOfficeUrl, { name: "test" });

/** Postgres's response to a statement: 'done', or the error. */
async function attempt(sql: Sql, statement: string): Promise<string> {
  return await sql.unsafe(statement).then(
    () => "done",
    (error: Error) => error.message,
  );
}

/** Those of the statements that Postgres refuses for no missing right, with what it says to them. */
async function notDenied(sql: Sql, statements: readonly string[]): Promise<string[]> {
  const answers: string[] = [];
  for (const statement of statements) answers.push(`${statement}: ${await attempt(sql, statement)}`);
  return answers.filter((answer) => !answer.includes(": permission denied"));
}

describe("least privilege", () => {
  test("the authorization server may do nothing of what others do", async () => {
    const statements = [
      "SELECT * FROM survey.responses",
      "SELECT count(*) FROM survey.questions",
      "SELECT * FROM survey.sources",
      "SELECT * FROM survey.deleted_responses",
      "UPDATE directory.merchants SET email = ''",
      "UPDATE directory.merchants SET status = 'active'",
      "DELETE FROM directory.merchants",
      "INSERT INTO directory.merchants (email, name, password_hash) VALUES ('a', 'a', 'a')",
      "UPDATE directory.shops SET test_of = 'a'",
      "UPDATE directory.test_shops SET shop_id = 'a'",
      "UPDATE directory.memberships SET merchant_id = 'a'",
      "DELETE FROM directory.memberships",
      "UPDATE directory.merchant_links SET expires_at = 'infinity'",
      "UPDATE directory.merchant_links SET email = ''",
      "DELETE FROM directory.merchant_links",
      "INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types) VALUES ('a', 'a', '{}', '{}', '{}')",
      "UPDATE directory.client_secrets SET secret_hash = ''",
      "INSERT INTO directory.client_members (client_id, merchant_id) VALUES ('a', 'a')",
      "DELETE FROM directory.client_members",
      "UPDATE directory.clients SET redirect_uris = '{}'",
      "UPDATE directory.clients SET website = ''",
      "UPDATE directory.clients SET logo = ''",
      "SELECT * FROM directory.api_keys",
      "SELECT name FROM directory.product_keys",
      "DELETE FROM oauth.connections",
      "SELECT id FROM oauth.audit_log",
      "SELECT details FROM oauth.audit_log",
      "SELECT ip FROM directory.audit_log",
      "SELECT event, actor FROM directory.audit_log",
      "UPDATE oauth.audit_log SET actor = ''",
      "SELECT id FROM directory.audit_log",
      "DELETE FROM directory.audit_log",
      "UPDATE oauth.api_usage SET calls = 0",
      "CREATE TABLE public.mine ()",
      "SELECT * FROM worker_jobs.job",
      "SELECT worker_jobs.add('mail', '{}')",
      "SELECT oauth.add_hints('{a}', NULL)",
      "SELECT * FROM back_office_jobs.job",
      "SELECT back_office_jobs.add('test_shop', '{}')",
      "SELECT oauth.erase_mails(NULL, 'a', NULL)",
      "SELECT oauth.drop_month('oauth.audit_log', now())",
      "SELECT secrets FROM oauth.webhooks",
      "UPDATE oauth.webhooks SET url = ''",
    ];
    expect(await notDenied(authorizationServer, statements)).toEqual([]);
  });

  test("the resource server may do nothing of what others do", async () => {
    const statements = [
      "SELECT password_hash FROM directory.merchants",
      "SELECT * FROM directory.merchants",
      "SELECT secret_hash FROM directory.client_secrets",
      "SELECT name FROM directory.clients",
      "SELECT website FROM directory.clients",
      "SELECT refresh_token_hash FROM oauth.connections",
      "SELECT merchant_id FROM oauth.connections",
      "SELECT grant_id FROM oauth.connections",
      "SELECT created_at FROM directory.shops",
      "UPDATE survey.deleted_responses SET deleted_at = now()",
      "DELETE FROM survey.deleted_responses",
      "UPDATE oauth.connections SET status = 'connected'",
      "INSERT INTO oauth.audit_log (shop_id, client_id, event, actor) VALUES ('a', 'a', 'a', 'a')",
      "INSERT INTO directory.audit_log (event, actor) VALUES ('a', 'a')",
      "SELECT * FROM directory.merchant_links",
      "SELECT logo FROM directory.clients",
      "DELETE FROM oauth.api_usage",
      "DELETE FROM survey.responses",
      "UPDATE survey.responses SET doc = ''",
      "DELETE FROM survey.sources",
      "SELECT number FROM survey.source_position",
      "UPDATE directory.api_keys SET revoked_at = NULL",
      "CREATE TABLE public.mine ()",
      "SELECT oauth.add_mail('test', NULL, NULL, '{}', NULL)",
      "SELECT oauth.add_webhook_test('a', 'a', 'a')",
      "SELECT oauth.add_test_shop_job('a')",
      "SELECT * FROM back_office_jobs.job",
    ];
    expect(await notDenied(resourceServer, statements)).toEqual([]);
  });

  test("the worker may do nothing of what others do", async () => {
    const statements = [
      "INSERT INTO directory.merchant_links (token_hash, email, expires_at) VALUES ('a', 'a', now())",
      "UPDATE directory.merchant_links SET used_at = NULL",
      "SELECT email FROM directory.merchant_links",
      "INSERT INTO directory.memberships (shop_id, merchant_id) VALUES ('a', 'a')",
      "INSERT INTO directory.client_members (client_id, merchant_id) VALUES ('a', 'a')",
      "INSERT INTO directory.merchants (email, name, password_hash) VALUES ('a', 'a', 'a')",
      "SELECT password_hash FROM directory.merchants",
      "SELECT secret_hash FROM directory.client_secrets",
      "DELETE FROM oauth.changes",
      "DELETE FROM oauth.change_positions",
      "UPDATE oauth.connections SET status = 'connected'",
      "INSERT INTO oauth.webhooks (client_id, url, secrets, sent_number) VALUES ('a', 'a', '[]', 0)",
      "UPDATE oauth.webhooks SET url = ''",
      "SELECT * FROM survey.responses",
      "SELECT oauth.add_mail('test', NULL, NULL, '{}', NULL)",
      "CREATE TABLE worker_jobs.mine ()",
      "CREATE TABLE public.mine ()",
      "SELECT * FROM back_office_jobs.job",
      "SELECT back_office_jobs.add('purge', '{}')",
      "SELECT oauth.add_test_shop_job('a')",
      "SELECT * FROM oauth.incoming_back_office_jobs",
      "SELECT oauth.erase_mails(NULL, 'a', NULL)",
      "SELECT oauth.make_month('oauth.audit_log', now())",
      "SELECT oauth.drop_month('oauth.audit_log', now())",
      "DELETE FROM directory.shops",
    ];
    expect(await notDenied(worker, statements)).toEqual([]);
  });

  test("the back office may do nothing of what others do", async () => {
    const statements = [
      "SELECT * FROM worker_jobs.job",
      "DELETE FROM worker_jobs.job",
      "SELECT worker_jobs.add('mail', '{}')",
      "SELECT oauth.add_mail('test', NULL, NULL, '{}', NULL)",
      "SELECT * FROM oauth.incoming_worker_jobs",
      "INSERT INTO directory.merchant_links (token_hash, email, expires_at) VALUES ('a', 'a', now())",
      "SELECT password_hash FROM directory.merchants",
      "UPDATE directory.merchants SET password_hash = 'a'",
      "INSERT INTO directory.merchants (id, email, name, password_hash) VALUES ('a', 'a', 'a', 'a')",
      "DELETE FROM directory.merchants",
      "INSERT INTO directory.merchant_identities (issuer, subject, merchant_id) VALUES ('a', 'a', 'a')",
      "INSERT INTO directory.client_members (client_id, merchant_id) VALUES ('a', 'a')",
      "UPDATE directory.memberships SET merchant_id = 'a'",
      "UPDATE directory.shops SET test_of = 'a'",
      "SELECT secret_hash FROM directory.client_secrets",
      "SELECT key_hash FROM directory.api_keys",
      "UPDATE directory.product_keys SET revoked_at = NULL",
      "INSERT INTO directory.product_keys (name, key_hash) VALUES ('a', 'a')",
      "UPDATE directory.test_shops SET shop_id = 'a'",
      "UPDATE oauth.connections SET grant_id = 'a'",
      "UPDATE oauth.connections SET refresh_token_hash = 'a'",
      "UPDATE oauth.audit_log SET actor = ''",
      "DELETE FROM oauth.audit_log",
      "UPDATE survey.sources SET name = 'a'",
      "INSERT INTO survey.sources (shop_id, name, type) VALUES ('a', 'a', 'tv')",
      "UPDATE survey.source_position SET epoch = 'a'",
      "DELETE FROM survey.source_position",
      "SELECT answer FROM survey.idempotency_keys",
      "CREATE TABLE oauth.mine ()",
      "CREATE TABLE back_office_jobs.mine ()",
    ];
    expect(await notDenied(backOffice, statements)).toEqual([]);
  });

  test("a shop that was not created as a client's test shop can't become one", async () => {
    const owner = connectDatabase(database.url, { name: "test" });
    await owner`INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types) VALUES ('c', 'C', '{}', '{}', '{}')`;
    await owner`INSERT INTO directory.shops (id, name, plan, test_of) VALUES ('real', 'R', 'standard', NULL), ('test', 'T', 'standard', 'c')`;
    await owner.end();
    const insert = (shop: string) =>
      `INSERT INTO directory.test_shops (client_id, slot, shop_id) VALUES ('c', 1, '${shop}')`;
    expect(await attempt(authorizationServer, insert("real"))).toMatch(/violates foreign key constraint/);
    expect(await attempt(authorizationServer, insert("test"))).toBe("done");
  });

  test("nobody changes the audit log, not even its owner, who can only remove fields of details", async () => {
    const owner = connectDatabase(database.url, { name: "test" });
    await owner`
      INSERT INTO oauth.audit_log (shop_id, event, actor, details) VALUES ('s', 'shop_create', 'test', '{"name": "Hats", "plan": "standard"}')`;
    await owner`INSERT INTO directory.audit_log (event, actor) VALUES ('client_create', 'test')`;
    // The parts of this month by themselves too. (On a cluster a row says which shard of them has it.)
    const parts = await owner<{ part: string }[]>`
      SELECT tableoid::regclass::text AS part FROM oauth.audit_log
      UNION ALL SELECT tableoid::regclass::text FROM directory.audit_log`;
    expect(parts).toHaveLength(2);
    for (const table of [
      "oauth.audit_log",
      "directory.audit_log",
      ...parts.map(({ part }) => part.replace(/_\d{6,}$/, "")),
    ]) {
      for (const statement of [`UPDATE ${table} SET actor = ''`, `DELETE FROM ${table}`, `TRUNCATE ${table}`]) {
        expect(await attempt(owner, statement)).toBe("the audit log is append-only");
      }
    }
    const change = (set: string) => attempt(owner, `UPDATE oauth.audit_log SET ${set} WHERE shop_id = 's'`);
    for (const set of [
      `details = '{"name": "Another", "plan": "standard"}'`,
      `details = details - 'name' || '{"more": 1}'`,
      "actor = 'eve', details = details - 'name'",
      "details = NULL",
    ]) {
      expect(await change(set), set).toBe("the audit log is append-only");
    }
    await change("details = details - 'name'");
    expect(await owner`SELECT details FROM oauth.audit_log`).toEqual([{ details: { plan: "standard" } }]);
    await owner.end();
  });
});
