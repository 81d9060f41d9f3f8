import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { connectDatabase, migrate } from "@partner-connect/database";
import { unmigratedDatabase } from "@partner-connect/database/testing";
import { installJobs } from "@partner-connect/jobs";
import { expect, onTestFinished, test } from "vitest";

const SCRIPT = readFileSync(new URL("../../deploy/operations/owner.sql", import.meta.url), "utf8");
const ADMIN_URL = process.env["TEST_DATABASE_URL"];

/** A database to which deploy/operations/owner.sql was applied, with its new owner. */
async function owned({ isMigrated }: { readonly isMigrated: boolean }) {
  const name = `owner_${randomBytes(6).toString("hex")}`;
  const { url, drop } = await unmigratedDatabase(ADMIN_URL);
  if (isMigrated) await migrate(url, { afterwards: installJobs });
  const settings = { "owner.name": name, "owner.password": "of the owner" };
  const superuser = connectDatabase(url, { name: "superuser", connections: 1, settings });
  await superuser.unsafe(SCRIPT);
  const ownerUrl = new URL(url);
  [ownerUrl.username, ownerUrl.password] = [name, "of the owner"];
  const owner = connectDatabase(ownerUrl.href, { name: "owner", connections: 1 });
  onTestFinished(async () => {
    await owner.end();
    await superuser.end();
    await drop();
    const admin = connectDatabase(ADMIN_URL ?? "", { name: "admin", connections: 1 });
    await admin.unsafe(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
    await admin.end();
  });
  return { ownerUrl: ownerUrl.href, owner, superuser };
}

test.each([false, true])(
  "owner.sql creates a role that can migrate and alter the services' roles (after a superuser's migration: %s)",
  async (isMigrated) => {
    const { ownerUrl, owner } = await owned({ isMigrated });
    const applied = await migrate(ownerUrl, { afterwards: installJobs });
    expect(applied.length > 0).toBe(!isMigrated);
    expect(await migrate(ownerUrl, { afterwards: installJobs })).toEqual([]);
    const others = await owner`
      SELECT format('%I.%I', nspname, relname) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
      WHERE nspname IN ('directory', 'oauth', 'survey') AND pg_get_userbyid(relowner) <> current_user
      UNION ALL SELECT proname FROM pg_proc JOIN pg_namespace n ON n.oid = pronamespace
      WHERE nspname IN ('directory', 'oauth', 'survey') AND pg_get_userbyid(proowner) <> current_user`;
    expect(others).toHaveLength(0);
    const alter = () =>
      owner.unsafe("ALTER ROLE resource_server CONNECTION LIMIT -1").then(() => "done", String);
    // Refused while a stack of another test gives this role its password.
    await expect.poll(alter).toBe("done");
  },
);

test("the role of owner.sql can't disable triggers, read files, run programs or become a superuser", async () => {
  const { owner } = await owned({ isMigrated: true });
  for (const statement of [
    "SET session_replication_role = replica",
    "SELECT pg_read_file('/etc/passwd')",
    "ALTER ROLE CURRENT_USER SUPERUSER",
    "COPY (SELECT 1) TO PROGRAM 'true'",
  ]) {
    await expect(owner.unsafe(statement), statement).rejects.toMatchObject({ code: "42501" });
  }
  await owner`INSERT INTO directory.audit_log (id, event, actor) VALUES ('aud_1', 'purge', 'system')`;
  await expect(owner`DELETE FROM directory.audit_log`).rejects.toThrow("append-only");
});

test("a second run of owner.sql neither waits for readers of a table nor blocks new readers", async () => {
  const { owner, superuser } = await owned({ isMigrated: true });
  await owner.begin(async (reader) => {
    await reader`SELECT FROM survey.responses`;
    await superuser.begin(async (tx) => {
      await tx.unsafe(SCRIPT);
      const taken = await tx`
          SELECT relation::regclass FROM pg_locks WHERE pid = pg_backend_pid() AND mode = 'AccessExclusiveLock' AND relation IS NOT NULL`;
      expect(taken).toEqual([]);
    });
  });
});

test("owner.sql fails while a reader locks a table whose owner must change, and succeeds afterwards", async () => {
  const { owner, superuser } = await owned({ isMigrated: true });
  await superuser`ALTER TABLE survey.responses OWNER TO CURRENT_USER`;
  await superuser`GRANT SELECT ON survey.responses TO PUBLIC`;
  await owner.begin(async (reader) => {
    await reader`SELECT FROM survey.responses`;
    await expect(superuser.unsafe(SCRIPT)).rejects.toMatchObject({ code: "55P03" });
  });
  await superuser.unsafe(SCRIPT);
});
