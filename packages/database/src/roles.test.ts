import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectDatabase, type Sql } from "./connect.ts";
import { freshDatabase, type TestDatabase } from "./testing.ts";

let database: TestDatabase;
let authorizationServer: Sql;
let resourceServer: Sql;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  authorizationServer = connectDatabase(database.authorizationServerUrl, { name: "test" });
  resourceServer = connectDatabase(database.resourceServerUrl, { name: "test" });
});
afterAll(async () => {
  await Promise.all([authorizationServer.end(), resourceServer.end()]);
  await database.drop();
});

/** What Postgres says to a statement: 'done', or why not. */
async function attempt(sql: Sql, statement: string): Promise<string> {
  return await sql.unsafe(statement).then(
    () => "done",
    (error: Error) => error.message,
  );
}

describe("least privilege [database.roles]", () => {
  test.each([
    "SELECT * FROM survey.responses",
    "SELECT count(*) FROM survey.questions",
    "SELECT * FROM survey.sources",
    "UPDATE directory.merchants SET password_hash = ''",
    "INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types) VALUES ('a', 'a', '{}', '{}', '{}')",
    "UPDATE directory.client_secrets SET expires_at = NULL",
    "SELECT * FROM directory.api_keys",
    "DELETE FROM oauth.connections",
    "SELECT * FROM oauth.audit_log",
    "UPDATE oauth.audit_log SET actor = ''",
    "CREATE TABLE public.mine ()",
  ])("the authorization server may not: %s", async (statement) => {
    expect(await attempt(authorizationServer, statement)).toMatch(/^permission denied/);
  });

  test.each([
    "SELECT password_hash FROM directory.merchants",
    "SELECT * FROM directory.merchants",
    "SELECT secret_hash FROM directory.client_secrets",
    "SELECT name FROM directory.clients",
    "SELECT refresh_token_hash FROM oauth.connections",
    "SELECT merchant_id FROM oauth.connections",
    "UPDATE oauth.connections SET status = 'connected'",
    "INSERT INTO oauth.audit_log (shop_id, client_id, event, actor) VALUES ('a', 'a', 'a', 'a')",
    "DELETE FROM survey.responses",
    "UPDATE survey.responses SET doc = ''",
    "DELETE FROM survey.sources",
    "UPDATE directory.api_keys SET revoked_at = NULL",
    "CREATE TABLE public.mine ()",
  ])("the resource server may not: %s", async (statement) => {
    expect(await attempt(resourceServer, statement)).toMatch(/^permission denied/);
  });

  test("nobody changes the audit log, not even its owner", async () => {
    const owner = connectDatabase(database.url, { name: "test" });
    await owner`INSERT INTO oauth.audit_log (shop_id, client_id, event, actor) VALUES ('s', 'c', 'approve', 'test')`;
    for (const statement of [
      "UPDATE oauth.audit_log SET actor = ''",
      "DELETE FROM oauth.audit_log",
      "TRUNCATE oauth.audit_log",
    ]) {
      expect(await attempt(owner, statement)).toBe("oauth.audit_log is append-only");
    }
    await owner.end();
  });
});
