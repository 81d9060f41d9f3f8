import { readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { takeLock } from "@partner-connect/service-runtime/lock-file";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import {
  changeKeys,
  loadKeys,
  readSigningKeys,
  type SigningKey,
} from "@partner-connect/signing-keys";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type Operator, operator, operatorOnOwnDatabase, refused, stderrOf } from "../testing.ts";
import { secondsLeft } from "./keys-rotate.ts";

const { database, sql } = await operatorOnOwnDatabase();
let folder: string;
let file: string;
/** The operator's name in audit records. These can't be deleted, so each test has its own name. */
let name: string;
/** The command line without a database, and with one. */
let cli: Operator;
let onDatabase: Operator;

beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  file = join(folder, "signing-keys.json");
  cli = operator({ DATA_DIR: folder });
  name = `otto-${crypto.randomUUID()}`;
  onDatabase = cli.with({ DATABASE_URL: database.url, PARTNER_CONNECT_OPERATOR: name });
});

const statuses = async () =>
  (await cli.json("keys list")).map((key: { status: string }) => key.status);

/** Sets all times of the keys back. */
const age = (seconds: number) => {
  const earlier = (date: Date) => new Date(date.getTime() - seconds * 1000);
  const aged = (key: SigningKey): SigningKey => ({
    ...key,
    createdAt: earlier(key.createdAt),
    retiringAt: key.retiringAt && earlier(key.retiringAt),
  });
  return changeKeys(file, (keys) => keys.map(aged));
};

test("keys generate creates the file with one active key, and is refused if the file exists", async () => {
  const first = await cli.json("keys generate");
  expect(first).toEqual({
    kid: expect.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_-]{42}$/),
    alg: "EdDSA",
    status: "active",
    created_at: expect.any(String),
    activated_at: expect.any(String),
    retiring_at: null,
  });
  expect((await readSigningKeys(file)).published.map((jwk) => jwk.kid)).toEqual([first.kid]);
  expect(await cli("keys generate")).toEqual(
    refused(/exists: .*, run '.* keys rotate'; if it is damaged, restore its backup/),
  );
});

test("keys generate --alg ES256 creates an ES256 key in the file that SIGNING_KEYS_FILE names", async () => {
  const elsewhere = join(folder, "elsewhere", "keys.json");
  const there = cli.with({ SIGNING_KEYS_FILE: elsewhere });
  expect(await there.json("keys generate --alg ES256")).toMatchObject({ alg: "ES256" });
  expect((await readSigningKeys(elsewhere)).published).toHaveLength(1);
});

test("keys list shows each key's status and age, and no key material", async () => {
  const { kid } = await cli.json("keys generate --alg ES256");
  const { active } = await readSigningKeys(file);
  const [asText, asJson] = [await cli("keys list"), await cli("keys list --json")];
  expect(asText.stdout).toMatch(new RegExp(`${kid} +ES256 +active +0 d\\n`));
  for (const { stdout } of [asText, asJson])
    expect(stdout).not.toContain(active.privateKey.export({ format: "jwk" }).d ?? "no private key");
});

test("keys list warns about a key older than 90 days", async () => {
  const { kid } = await cli.json("keys generate");
  await age(91 * 24 * 3600);
  const [key] = await cli.json("keys list");
  expect(key).toMatchObject({ kid, age_seconds: expect.closeTo(91 * 24 * 3600, -1) });
  expect((await cli("keys list")).stdout).toContain("91 d, old: rotate it\n");
});

const WAITS = ["--wait", "0"];
/** Access tokens live for one second, so that a rotation ends immediately. */
const short = () => cli.with({ ACCESS_TOKEN_TTL_SECONDS: "1" });
/** A rotation that stops halfway, because its command fails at the `nth` call. */
const stopAt = async (nth: number, ...more: string[]) => {
  const counter = join(folder, `calls-${crypto.randomUUID()}`);
  const command = `echo x >>${counter}; test $(wc -l <${counter}) -ne ${nth}`;
  return await short()("keys rotate", ...WAITS, "--after-change", command, ...more);
};

test("keys rotate is refused without a keys file, and otherwise asks for confirmation of its steps", async () => {
  expect(await cli("keys rotate")).toEqual(refused(/no signing keys file/));
  await cli.json("keys generate");
  const effects =
    /^A new key will be published.*\nThe former key will be removed .* up to 25 minutes\.\nContinue/;
  expect(await cli.declined("keys rotate")).toMatch(effects);
  expect(await statuses()).toEqual(["active"]);
});

test("keys rotate announces and activates a new key, removes the former key, and runs --after-change after each step", async () => {
  const former = (await cli.json("keys generate")).kid;
  const copies = join(folder, "copies");
  const { stdout, stderr } = await short()(
    ...["keys", "rotate", ...WAITS, "--alg", "ES256", "--json"],
    ...["--after-change", `grep '"status"' ${file} | tr -d '\\n' >>${copies}; echo >>${copies}`],
  );
  const { kid, steps } = JSON.parse(stdout);
  expect(steps.map(({ step, kid }: { step: string; kid: string }) => [step, kid])).toEqual([
    ["generate", kid],
    ["activate", kid],
    ["retire", former],
  ]);
  const seen = (await readFile(copies, "utf8")).trim().split("\n");
  expect(seen.map((line) => [...line.matchAll(/announced|active|retiring/g)].map(String))).toEqual([
    ["active", "announced"],
    ["retiring", "active"],
    ["active"],
  ]);
  expect(stderr).toMatch(
    new RegExp(`published key ${kid}[\\s\\S]*activated key ${kid}[\\s\\S]*removed key ${former}`),
  );
  expect(await loadKeys(file)).toMatchObject([{ kid, alg: "ES256", status: "active" }]);
});

test.each([
  [1, ["active", "announced"], /run the rotation again to repeat the command and continue/],
  [2, ["retiring", "active"], /run the rotation again to repeat the command and continue/],
  [3, ["active"], /the rotation is complete; run only the command of --after-change again/],
])(
  "keys rotate, stopped after change %i of 3, prints how to complete the rotation",
  async (nth, left, hint) => {
    const former = (await cli.json("keys generate")).kid;
    const stopped = await stopAt(nth);
    expect(stopped.stderr).toMatch(/--after-change failed \(exit 1\)/);
    expect(stopped.stderr).toMatch(hint);
    expect(await statuses()).toEqual(left);
    if (nth === 3) return;
    const copies = join(folder, "copies");
    const continued = await short()(
      "keys rotate",
      ...WAITS,
      "--after-change",
      `cat ${file} >>${copies}`,
    );
    expect(continued.stderr).toContain("continuing the rotation that was interrupted");
    expect(continued.stdout).toMatch(/and the former key is removed/);
    expect((await stat(copies)).size).toBeGreaterThan(0);
    expect((await loadKeys(file)).map(({ kid }) => kid)).not.toContain(former);
  },
);

test("an interrupted wait of keys rotate continues for the remaining time, or in full if the clock was set back", () => {
  expect([0, 100, 300, 400].map((seconds) => secondsLeft(0, 300, seconds * 1000))).toEqual([
    300, 200, 0, -100,
  ]);
  expect(secondsLeft(500_000, 300, 0)).toBe(300);
});

test("keys rotate can't change the algorithm of an announced key", async () => {
  await cli.json("keys generate");
  await stopAt(1, "--alg", "ES256");
  expect(await cli("keys rotate --alg EdDSA")).toEqual(
    refused(/\(ES256\) is announced: continue without --alg, or remove it/),
  );
});

test("keys retire prints its effects, asks for confirmation, and replaces the active key immediately", async () => {
  const leaked = (await cli.json("keys generate")).kid;
  expect(await cli.declined("keys retire", leaked)).toMatch(
    /Key \S+ will be removed: resource servers refuse its access tokens within a minute[\s\S]*Key \S+ will sign once it is published\./,
  );
  expect((await loadKeys(file)).map(({ kid }) => kid)).toEqual([leaked]);
  const { kid, status, active } = await cli.json("keys retire", leaked);
  expect([kid, status]).toEqual([leaked, "retired"]);
  expect(await loadKeys(file)).toMatchObject([{ kid: active, status: "active" }]);
});

test("keys retire lets a new key sign only when every authorization server that answers publishes it", async () => {
  const leaked = (await onDatabase.json("keys generate")).kid;
  const asked: string[] = [];
  /** Publishes the file's keys from its second answer on. */
  const server = createServer(async (_, response) => {
    const keys = await loadKeys(file);
    asked.push(keys.map(({ status }) => status).join());
    const published = asked.length < 2 ? [leaked] : keys.map(({ kid }) => kid);
    response.end(JSON.stringify({ published, active: leaked, keys_file_problem: null }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const REPLICAS = `http://127.0.0.1:${port},http://127.0.0.1:9`;
  const { code, stderr } = await onDatabase.with({ REPLICAS })("keys retire", leaked);
  const [{ kid } = {}] = await loadKeys(file);
  expect([code, ...asked, await statuses()]).toEqual([
    ...[0, "active,announced", "active,announced"],
    ["active"],
  ]);
  expect(stderr).toContain(
    `waiting, at most 180 s, until every authorization server publishes key ${kid}`,
  );
  expect((await records()).slice(1)).toEqual([
    { event: "signing_key_generate", details: { kid, alg: "EdDSA" } },
    { event: "signing_key_retire", details: { kid: leaked, alg: "EdDSA" } },
  ]);
});

test("keys retire refuses an unknown key", async () => {
  expect(await cli("keys retire nope")).toEqual(refused(/no signing keys file/));
  await cli.json("keys generate");
  expect(await cli("keys retire nope")).toEqual(
    refused(/no key nope; 'partner-connect keys list'/),
  );
});

const records = async () =>
  (
    await sql`
      SELECT event, details FROM directory.audit_log WHERE actor = ${`operator:${name}`} ORDER BY at, id`
  ).map(({ event, details }) => ({ event, details }));
const stored = () => readFile(file, "utf8").catch(() => null);

test("each change of a signing key is recorded with the key's id and algorithm, and without key material", async () => {
  const first = await onDatabase.json("keys generate");
  const short = onDatabase.with({ ACCESS_TOKEN_TTL_SECONDS: "1" });
  const { kid } = await short.json("keys", "rotate", "--alg", "ES256", "--wait", "0");
  expect(await records()).toEqual([
    { event: "signing_key_generate", details: { kid: first.kid, alg: "EdDSA" } },
    { event: "signing_key_generate", details: { kid, alg: "ES256" } },
    { event: "signing_key_activate", details: { kid, alg: "ES256" } },
    { event: "signing_key_retire", details: { kid: first.kid, alg: "EdDSA" } },
  ]);
});

test("without DATABASE_URL, a change of keys is recorded in the database of the local stack", async () => {
  await writeFile(join(folder, "local-stack.json"), JSON.stringify({ database_url: database.url }));
  const { stderr } = await onDatabase.with({ DATABASE_URL: undefined })("keys generate");
  expect(stderr).toEqual(stderrOf("signing_key_generate"));
  expect(await records()).toHaveLength(1);
});

test("a change that is refused because the keys file is locked is not recorded", async () => {
  const { kid } = await onDatabase.json("keys generate");
  const release = takeLock(`${file}.lock`);
  expect(await onDatabase("keys retire", kid)).toEqual(refused(/another change .* is in progress/));
  release();
  expect(await records()).toHaveLength(1);
});

test.each<[string, () => string, RegExp]>([
  [
    "Postgres does not answer",
    () => "postgres://owner:secret@127.0.0.1:9/none",
    /Postgres does not answer/,
  ],
  ["Postgres has no such database", () => `${database.url}_x`, /does not exist/],
  ["the role may not write the log", () => database.resourceServerUrl, /lacks a right/],
  ["DATABASE_URL is no URL", () => "nonsense", /DATABASE_URL is not a URL/],
])("a change of keys is refused if it can't be recorded because %s", async (_, url, message) => {
  const { kid } = await onDatabase.json("keys generate");
  const before = await stored();
  const cut = onDatabase.with({ DATABASE_URL: url() });
  const whole = new RegExp(
    `can't be recorded in the audit log, so nothing was changed: .*${message.source}.*--without-audit`,
  );
  expect(await cut("keys retire", kid)).toEqual(refused(whole));
  expect(await stored()).toBe(before);
  const error = JSON.parse((await cut("keys retire", kid, "--json")).stderr);
  expect(error).toMatchObject({ error: "AUDIT_UNAVAILABLE" });
  expect(JSON.stringify(error)).not.toContain("secret");
  const { code, stderr } = await cut("keys retire", kid, "--without-audit");
  const note = expect.stringContaining("note: not recorded in the audit log: --without-audit\n");
  expect([code, stderr]).toEqual([0, note]);
  expect(await stored()).not.toBe(before);
  expect(await records()).toHaveLength(1);
});

test("without a configured database, a change of keys is made and a note says that it was not recorded", async () => {
  const { code, stderr } = await cli("keys generate");
  expect([code, stderr]).toEqual([
    0,
    "note: not recorded in the audit log: no database is configured\n",
  ]);
  expect(await records()).toEqual([]);
});

test("if only the commit of the audit record fails, a change of keys reports that the file was changed", async () => {
  await sql`
      CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no commit'; END $$`;
  await sql`
      CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON directory.audit_log_default DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION public.fail()`;
  expect(await onDatabase("keys generate")).toEqual(
    refused(/the keys file was changed, but the audit log may have no record of it: .*no commit/),
  );
  await sql`DROP FUNCTION public.fail() CASCADE`;
  expect(JSON.parse((await stored()) ?? "").keys).toHaveLength(1);
  expect(await records()).toEqual([]);
});
