import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { takeLock } from "@partner-connect/service-runtime/lock-file";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Operator, operator, operatorOnOwnDatabase, refused, stderrOf } from "../testing.ts";

const { database, sql } = await operatorOnOwnDatabase();
let folder: string;
let file: string;
let cli: Operator;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cli-keys-"));
  file = join(folder, "signing-keys.json");
  // The records can't be deleted; each test looks at those of its own operator.
  name = `otto-${crypto.randomUUID()}`;
  cli = operator({ DATA_DIR: folder, DATABASE_URL: database.url, PARTNER_CONNECT_OPERATOR: name });
});
afterEach(() => rm(folder, { recursive: true }));

let name: string;

const records = async () =>
  (
    await sql`
      SELECT event, details FROM directory.audit_log WHERE actor = ${`operator:${name}`} ORDER BY at, id`
  ).map(({ event, details }) => ({ event, details }));
const stored = () => readFile(file, "utf8").catch(() => null);

describe("every step of a key's life is recorded", () => {
  test("by its id and algorithm, without the key itself", async () => {
    const first = await cli.json("keys", "generate");
    const short = cli.with({ ACCESS_TOKEN_TTL_SECONDS: "1" });
    const { kid } = await short.json("keys", "rotate", "--alg", "ES256", "--wait", "0");
    expect(await records()).toEqual([
      { event: "signing_key_generate", details: { kid: first.kid, alg: "EdDSA" } },
      { event: "signing_key_generate", details: { kid, alg: "ES256" } },
      { event: "signing_key_activate", details: { kid, alg: "ES256" } },
      { event: "signing_key_retire", details: { kid: first.kid, alg: "EdDSA" } },
    ]);
  });

  test("in the database of a local stack, too", async () => {
    await writeFile(join(folder, "local-stack.json"), JSON.stringify({ database_url: database.url }));
    const { stderr } = await cli.with({ DATABASE_URL: undefined })("keys", "generate");
    expect(stderr).toEqual(stderrOf("signing_key_generate"));
    expect(await records()).toHaveLength(1);
  });

  test("not when the file refuses the change", async () => {
    const { kid } = await cli.json("keys", "generate");
    const release = takeLock(`${file}.lock`);
    expect(await cli("keys", "retire", kid)).toEqual(refused(/another change .* is under way/));
    release();
    expect(await records()).toHaveLength(1);
  });
});

describe("what can't be recorded is not done", () => {
  test.each<[string, () => string, RegExp]>([
    ["Postgres does not answer", () => "postgres://owner:secret@127.0.0.1:9/none", /Postgres does not answer/],
    ["Postgres has no such database", () => `${database.url}_x`, /does not exist/],
    ["the role may not write the log", () => database.resourceServerUrl, /may not do that/],
    ["DATABASE_URL is none", () => "nonsense", /DATABASE_URL is not a URL/],
  ])("while %s", async (_, url, message) => {
    const { kid } = await cli.json("keys", "generate");
    const before = await stored();
    const cut = cli.with({ DATABASE_URL: url() });
    const whole = new RegExp(
      `can't be recorded in the audit log, so nothing was changed: .*${message.source}.*--without-audit`,
    );
    expect(await cut("keys", "retire", kid)).toEqual(refused(whole));
    expect(await stored()).toBe(before);
    const error = JSON.parse((await cut("keys", "retire", kid, "--json")).stderr);
    expect(error).toMatchObject({ error: "AUDIT_UNAVAILABLE" });
    expect(JSON.stringify(error)).not.toContain("secret");
    const { code, stderr } = await cut("keys", "retire", kid, "--without-audit");
    expect([code, stderr]).toEqual([0, "note: not recorded in the audit log: --without-audit\n"]);
    expect(await stored()).not.toBe(before);
    expect(await records()).toHaveLength(1);
  });

  test("with no database configured it goes on, and says that nothing was recorded", async () => {
    const { code, stderr } = await cli.with({ DATABASE_URL: undefined })("keys", "generate");
    expect([code, stderr]).toEqual([0, "note: not recorded in the audit log: no database is configured\n"]);
    expect(await records()).toEqual([]);
  });

  test("when only the commit fails, the error says that the file has changed", async () => {
    await sql`
      CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no commit'; END $$`;
    await sql`
      CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON directory.audit_log_default DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION public.fail()`;
    expect(await cli("keys", "generate")).toEqual(
      refused(/the keys file was changed, but the audit log may have no record of it: .*no commit/),
    );
    await sql`DROP FUNCTION public.fail() CASCADE`;
    expect(JSON.parse((await stored()) ?? "").keys).toHaveLength(1);
    expect(await records()).toEqual([]);
  });
});
