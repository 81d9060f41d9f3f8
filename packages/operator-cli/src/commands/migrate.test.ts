import { connectDatabase, derivedRolePassword, roleUrl } from "@partner-connect/database";
import { unmigratedDatabase } from "@partner-connect/database/testing";
import { afterAll, expect, test } from "vitest";
import { operator, refused } from "../testing.ts";

const ADMIN_URL = process.env["TEST_DATABASE_URL"] ?? "";
const { url: DATABASE_URL, drop } = await unmigratedDatabase(ADMIN_URL);
const NAME = new URL(DATABASE_URL).pathname.slice(1);
const cli = operator({ DATABASE_URL });
const admin = connectDatabase(ADMIN_URL, { name: "cli-test" });

afterAll(async () => {
  await drop();
  await admin`DROP ROLE IF EXISTS ${admin(NAME)}`;
  await admin.end();
});

/** Each password that is set gets a new salt, so a change shows that it was set. */
async function storedPassword(role: string): Promise<string> {
  const [row] = await admin<
    { rolpassword: string }[]
  >`SELECT rolpassword FROM pg_authid WHERE rolname = ${role}`;
  return row?.rolpassword ?? "";
}

test("on an unmigrated database, a command fails and suggests migrate", async () => {
  expect(await cli("client list")).toEqual(refused(/run 'partner-connect migrate' first/));
});

test("migrate applies the missing migrations, and none when it is run again", async () => {
  const { stdout, stderr } = await cli("migrate --json");
  const { applied, months } = JSON.parse(stdout);
  expect(stderr).toMatch(/^applied 1 roles \(.*\n/);
  expect(applied.length).toBeGreaterThan(3);
  expect(applied[0]).toBe("1 roles");
  expect(months).toContain(`oauth.audit_log_${new Date().getUTCFullYear() + 1}_01`);
  expect(await cli.json("migrate")).toEqual({ applied: [], months: [] });
  expect((await cli("migrate")).stdout).toBe("The schema is up to date.\n");
  expect(await cli.json("client list")).toEqual([]);
});

test("if the environment has the services' passwords, migrate sets them, and otherwise needs no right to alter roles", async () => {
  const roles = ["authorization_server", "resource_server"] as const;
  const secret = new URL(ADMIN_URL).password;
  // The passwords that the roles already have, because the whole run uses them.
  const passwords = {
    AUTHORIZATION_SERVER_DB_PASSWORD: derivedRolePassword(secret, "authorization_server"),
    RESOURCE_SERVER_DB_PASSWORD: derivedRolePassword(secret, "resource_server"),
  };
  const up = { applied: [], months: [] };
  // A role that owns the tables and may not change roles.
  await admin`CREATE ROLE ${admin(NAME)} LOGIN PASSWORD '${admin.unsafe(secret)}' IN ROLE current_user`;
  const owner = cli.with({
    DATABASE_URL: Object.assign(new URL(DATABASE_URL), { username: NAME }).href,
  });
  expect(await owner.json("migrate")).toEqual(up);
  expect(await owner.with(passwords)("migrate")).toEqual(refused(/lacks a right/));
  const before = await Promise.all(roles.map(storedPassword));
  expect(await cli.with(passwords).json("migrate")).toEqual(up);
  for (const [index, role] of roles.entries()) {
    expect(await storedPassword(role)).not.toBe(before[index]);
    const sql = connectDatabase(roleUrl(DATABASE_URL, role, derivedRolePassword(secret, role)), {
      name: "cli-test",
    });
    expect([...(await sql`SELECT current_user AS role`)]).toEqual([{ role }]);
    await sql.end();
  }
});
