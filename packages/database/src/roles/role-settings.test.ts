import { expect, onTestFinished, test } from "vitest";
import { suiteDatabase } from "../testing/suite.ts";
import { ROLE_SETTINGS, setRoleSettings } from "./role-settings.ts";

const database = await suiteDatabase();
const owner = database.connect(database.url, { name: "test", connections: 1 });

test("each session of a service's role has the role's settings", async () => {
  for (const [role, url] of [
    ["authorization_server", database.authorizationServerUrl],
    ["resource_server", database.resourceServerUrl],
    ["worker", database.workerUrl],
    ["back_office", database.backOfficeUrl],
  ] as const) {
    const sql = database.connect(url, { name: "test", connections: 1 });
    const wanted = ROLE_SETTINGS[role];
    const rows = await sql<{ name: string; value: string }[]>`
      SELECT name, current_setting(name) AS value FROM unnest(${Object.keys(wanted)}::text[]) name`;
    expect(Object.fromEntries(rows.map(({ name, value }) => [name, value]))).toEqual(wanted);
  }
});

test("the server ends the session of a transaction that is left idle", async () => {
  const sql = database.connect(database.resourceServerUrl, { name: "test", connections: 1 });
  const idle = sql.begin(async (transaction) => {
    await transaction`SET LOCAL idle_in_transaction_session_timeout = '100ms'`;
    const [session] = await transaction<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    await expect
      .poll(() => owner`SELECT FROM pg_stat_activity WHERE pid = ${session?.pid ?? 0}`)
      .toHaveLength(0);
    await transaction`SELECT 1`;
  });
  await expect(idle).rejects.toThrow();
});

test("without the right to alter roles, migrate accepts correct settings and otherwise reports the ALTER ROLE to run", async () => {
  const ROLE = "role_settings_test";
  await owner.unsafe(`CREATE ROLE ${ROLE}`);
  onTestFinished(async () => void (await owner.unsafe(`DROP ROLE ${ROLE}`)));
  const mere = database.connect(database.resourceServerUrl, { name: "test", connections: 1 });
  await setRoleSettings(owner, { [ROLE]: { jit: "off", statement_timeout: "3s" } });
  await setRoleSettings(mere, { [ROLE]: { jit: "off" } });
  await expect(
    setRoleSettings(mere, { [ROLE]: { jit: "off", statement_timeout: "2s" } }),
  ).rejects.toThrow(
    `an administrator has to run: ALTER ROLE ${ROLE} SET statement_timeout TO '2s'`,
  );
});
