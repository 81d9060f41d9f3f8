import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectDatabase } from "../pool/connect.ts";
import type { Sql } from "../pool/sql.ts";
import { suiteDatabase } from "../testing/suite.ts";
import { setRoleSettings, settingsOf } from "./role-settings.ts";

const database = await suiteDatabase();

test("each session of a service's role has the role's settings", async () => {
  for (const [role, url] of [
    ["authorization_server", database.authorizationServerUrl],
    ["resource_server", database.resourceServerUrl],
    ["worker", database.workerUrl],
    ["back_office", database.backOfficeUrl],
  ] as const) {
    const sql = connectDatabase(url, { name: "test", connections: 1 });
    const wanted = await settingsOf(sql, role);
    const rows = await sql<{ name: string; value: string }[]>`
      SELECT name, current_setting(name) AS value FROM unnest(${Object.keys(wanted)}::text[]) name`;
    expect(Object.fromEntries(rows.map(({ name, value }) => [name, value]))).toEqual(wanted);
    await sql.end();
  }
});

test("a transaction that is left open is ended by the server, and its locks with it", async () => {
  const sql = connectDatabase(database.resourceServerUrl, { name: "test", connections: 1 });
  const owner = connectDatabase(database.url, { name: "test", connections: 1 });
  const idle = sql.begin(async (transaction) => {
    await transaction`SET LOCAL idle_in_transaction_session_timeout = '100ms'`;
    const [session] = await transaction<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    await expect.poll(() => owner`SELECT FROM pg_stat_activity WHERE pid = ${session?.pid ?? 0}`).toHaveLength(0);
    await transaction`SELECT 1`;
  });
  await expect(idle).rejects.toThrow();
  await Promise.all([sql.end(), owner.end()]);
});

describe("a role's settings", () => {
  const ROLE = "role_settings_test";
  let owner: Sql;
  beforeAll(async () => {
    owner = connectDatabase(database.url, { name: "test", connections: 1 });
    await owner.unsafe(`CREATE ROLE ${ROLE}`);
  });
  afterAll(async () => {
    await owner.unsafe(`DROP ROLE ${ROLE}`);
    await owner.end();
  });

  test("need no right to alter the role when they are there; what is missing is named for an administrator", async () => {
    const mere = connectDatabase(database.resourceServerUrl, { name: "test", connections: 1 });
    await setRoleSettings(owner, { [ROLE]: { jit: "off", statement_timeout: "3s" } });
    await setRoleSettings(mere, { [ROLE]: { jit: "off" } });
    await expect(setRoleSettings(mere, { [ROLE]: { jit: "off", statement_timeout: "2s" } })).rejects.toThrow(
      `an administrator has to run: ALTER ROLE ${ROLE} SET statement_timeout TO '2s'`,
    );
    await mere.end();
  });
});
