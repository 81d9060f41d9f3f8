import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { changeDatabaseUrl } from "../address/database-url.ts";
import { connectDatabase } from "../pool/connect.ts";
import { scramVerifier, setRolePassword } from "./role-password.ts";

const URL = process.env["TEST_DATABASE_URL"] ?? "";
const ROLE = `test_${randomBytes(8).toString("hex")}`;

const admin = connectDatabase(URL, { name: "test", connections: 1 });
await admin`CREATE ROLE ${admin(ROLE)} LOGIN`;
afterAll(async () => {
  await admin`DROP ROLE ${admin(ROLE)}`;
  await admin.end();
});

async function stored(): Promise<string> {
  const [row] = await admin`SELECT rolpassword FROM pg_authid WHERE rolname = ${ROLE}`;
  return String(row?.["rolpassword"]);
}

test("the SCRAM verifier equals the one that Postgres computes from an ASCII password", async () => {
  for (const password of ["correct horse", "quotes ' and \\ and $"]) {
    const [row] = await admin<{ statement: string }[]>`
    SELECT format('ALTER ROLE %I PASSWORD %L', ${ROLE}::text, ${password}::text) AS statement`;
    await admin.unsafe(row?.statement ?? "");
    const theirs = await stored();
    const [, iterations, salt] = /^SCRAM-SHA-256\$(\d+):([^$]+)\$/.exec(theirs) ?? [];
    expect
      .soft(
        scramVerifier(password, Buffer.from(salt ?? "", "base64"), Number(iterations)),
        password,
      )
      .toBe(theirs);
  }
});

test("a role can sign in only with the password that was set", async () => {
  const signIn = async (given: string) => {
    const url = changeDatabaseUrl(URL, { user: ROLE, password: given });
    const sql = connectDatabase(url, { name: "test", connections: 1 });
    return await sql`SELECT current_user AS role`
      .then(
        ([row]) => row?.["role"],
        (error) => error.code,
      )
      .finally(() => sql.end());
  };
  for (const password of [randomBytes(8).toString("hex"), "soft\u00adhyphen, Ⅸ and \u3000wide"]) {
    await setRolePassword(admin, ROLE, password);
    expect(await signIn(password)).toBe(ROLE);
    expect(await signIn(`${password}.`)).toBe("28P01");
  }
});
