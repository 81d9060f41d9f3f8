import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pseudonym } from "@partner-connect/audit";
import { connectDatabase, type Queries } from "@partner-connect/database";
import { freshDatabase } from "@partner-connect/database/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { misused, operator, refused } from "../../testing.ts";

const NAMES_KEY = "n".repeat(32);
const KEYS = { AUDIT_SEAL_KEY: "s".repeat(32), AUDIT_NAMES_KEY: NAMES_KEY };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * An operator on a database whose logs have a record an hour, the 30 hours until eleven o'clock of yesterday, and one of now. A problem is of
 * one day (UTC), so which records share a day must not depend on the hour at which the test runs.
 */
async function world() {
  const database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  const sql = connectDatabase(database.url, { name: "audit-seals-test", connections: 3 });
  onTestFinished(async () => {
    await sql.end();
    await database.drop();
  });
  const noon = Math.floor(Date.now() / DAY) * DAY - DAY / 2;
  const at = (hours: number) => new Date(noon - hours * HOUR);
  for (let hours = 30; hours >= 1; hours--) {
    await sql`
      INSERT INTO oauth.audit_log (id, shop_id, client_id, event, actor, ip, details, at)
      VALUES (${`aud_o${hours}`}, 's', 'c', 'revoke', 'operator:anna', '192.0.2.1', ${`{"n": ${hours}}`}::text::jsonb, ${at(hours)})`;
    await sql`
      INSERT INTO directory.audit_log (id, event, actor, details, at)
      VALUES (${`aud_d${hours}`}, 'member_invite', 'merchant:m', '{"email": "ada@shop.example", "role": "owner"}', ${at(hours)})`;
  }
  await sql`INSERT INTO directory.audit_log (id, event, actor) VALUES ('aud_now', 'purge', 'system')`;
  const cli = operator({ DATABASE_URL: database.url, PARTNER_CONNECT_OPERATOR: "otto", ...KEYS });
  const verify = async (...words: string[]) => {
    const { code, stdout } = await cli("audit", "verify", "--json", ...words);
    const { problems, ...rest } = JSON.parse(stdout);
    return { code, problems, ...rest };
  };
  return { sql, cli, database, at, verify };
}

/** Changes the log as its owner can: with the triggers off, so that nothing refuses it and nothing records it. */
async function tamper(sql: { begin<T>(work: (tx: Queries) => Promise<T>): Promise<T> }, statement: string) {
  await sql.begin(async (tx) => {
    await tx.unsafe("SET LOCAL citus.propagate_set_commands = local");
    await tx.unsafe("SET LOCAL session_replication_role = replica");
    const changed = await tx.unsafe(statement);
    if (changed.count === 0) throw new Error("nothing was changed");
  });
}

describe("audit seal and audit verify", () => {
  test("what was sealed and is as it was is found so, and what is new is told as not sealed yet", async () => {
    const { cli, verify, at } = await world();
    const { sealed } = await cli.json("audit", "seal");
    expect(sealed.map(({ log, records }: Record<string, unknown>) => [log, records])).toEqual([
      ["directory", 30],
      ["oauth", 30],
    ]);
    const found = await verify();
    expect(found).toMatchObject({ code: 0, problems: [], pruned: null });
    expect(found.logs).toMatchObject([
      { log: "directory", records: 30, not_sealed_yet: 1, last_seal: sealed[0].last_seal },
      { log: "oauth", records: 30, not_sealed_yet: 0, last_seal: sealed[1].last_seal },
    ]);
    expect(new Date(found.logs[0].sealed_until) > at(1)).toBe(true);
    const again = await cli.json("audit", "seal");
    expect(again.sealed.map(({ records }: Record<string, unknown>) => records)).toEqual([0, 0]);
    expect(await verify("--expect", sealed[0].last_seal)).toMatchObject({ code: 0, problems: [] });
    const said = await cli("audit", "verify");
    expect(said.stdout).toMatch(
      /^directory\.audit_log: 30 records compared with \d seals, until .*\nNothing was changed\.\n$/s,
    );
  });

  test.each<[string, string, object]>([
    [
      "a changed record",
      "UPDATE oauth.audit_log SET actor = 'operator:eve' WHERE id = 'aud_o7'",
      { what: "changed", log: "oauth", id: "aud_o7", after: "aud_o8" },
    ],
    [
      "a changed detail",
      `UPDATE directory.audit_log SET details = '{"email": "eve@shop.example", "role": "owner"}' WHERE id = 'aud_d30'`,
      { what: "changed", log: "directory", id: "aud_d30", after: null },
    ],
    [
      "a deleted record",
      "DELETE FROM oauth.audit_log WHERE id = 'aud_o7'",
      { what: "missing", log: "oauth", id: null, after: "aud_o8", records: 1 },
    ],
    [
      "an added record",
      "INSERT INTO oauth.audit_log (id, shop_id, event, actor, at) SELECT 'aud_x', 's', 'approve', 'merchant:m', at + interval '1 second' FROM oauth.audit_log WHERE id = 'aud_o7'",
      { what: "added", log: "oauth", id: "aud_x", after: "aud_o7" },
    ],
    [
      "one added before all others",
      "INSERT INTO directory.audit_log (id, event, actor, at) VALUES ('aud_x', 'purge', 'system', '-infinity')",
      { what: "added", log: "directory", id: "aud_x", at: "-Infinity" },
    ],
    [
      "a changed seal",
      "UPDATE directory.audit_seals SET digests = '' WHERE log = 'oauth' AND number = 1",
      { what: "seal", log: "oauth", seal: 1 },
    ],
  ])("%s is found and named, changed with the triggers off", async (_, statement, problem) => {
    const { sql, cli, verify } = await world();
    await cli("audit", "seal");
    await tamper(sql, statement);
    const found = await verify();
    expect(found.code).toBe(1);
    expect(found.problems).toHaveLength(1);
    expect(found.problems[0]).toMatchObject(problem);
    const said = await cli("audit", "verify");
    expect(said.stdout.split("\n")[0]).toMatch(/^(oauth|directory)\.audit_log: (changed|missing|added): .* \(seal \d/);
    expect(said.stdout).toMatch(/The audit log was changed\.\n$/);
  });

  test("many problems at once are each found, and the text names the first twenty", async () => {
    const { sql, cli, verify } = await world();
    await cli("audit", "seal");
    await tamper(sql, "DELETE FROM oauth.audit_log WHERE id IN ('aud_o30', 'aud_o29', 'aud_o3')");
    await tamper(sql, "UPDATE directory.audit_log SET actor = 'x' WHERE id <> 'aud_now'");
    const { problems } = await verify();
    const counts = problems.map(({ what, records }: Record<string, unknown>) => `${what} ${records}`);
    expect(counts.filter((count: string) => count === "changed 1")).toHaveLength(30);
    expect(counts.filter((count: string) => count.startsWith("missing"))).toEqual(["missing 2", "missing 1"]);
    expect((await cli("audit", "verify")).stdout).toContain("\nand 12 problems more: see --json\n");
  });

  test("seals that were taken away are missed: one of several by the next, the newest ones by a name that was kept", async () => {
    const { sql, cli, verify } = await world();
    const { sealed } = await cli.json("audit", "seal");
    const kept = sealed[1].last_seal;
    await sql`DELETE FROM directory.audit_seals WHERE log = 'oauth' AND number = 1`;
    expect((await verify()).problems).toMatchObject([{ what: "no_seal", log: "oauth", seal: 1 }]);
    await sql`DELETE FROM directory.audit_seals WHERE log = 'oauth'`;
    expect((await verify()).problems).toEqual([]);
    const found = await verify("--expect", kept);
    expect([found.code, found.problems]).toMatchObject([1, [{ what: "no_seal", log: "oauth" }]]);
    await cli("audit", "seal");
    expect((await verify("--expect", kept)).problems).toMatchObject([{ what: "no_seal", log: "oauth" }]);
  });

  test("a text that erasure replaced by its keyed hash is as it was sealed; another hash is not", async () => {
    const { sql, cli, verify } = await world();
    await cli("audit", "seal");
    const erased = (key: string) => `
      UPDATE directory.audit_log SET details = jsonb_set(details, '{email}', '"${pseudonym(key, "ada@shop.example")}"') WHERE event = 'member_invite'`;
    await tamper(sql, erased(NAMES_KEY));
    expect(await verify()).toMatchObject({ code: 0, problems: [] });
    await tamper(sql, erased("another key"));
    expect((await verify()).problems).toHaveLength(30);
  });

  test("months that were pruned are told with who did it, and the rest is compared", async () => {
    const { sql, cli, verify } = await world();
    for (const [id, time] of [
      ["aud_a", "2020-02-03T10:00:00Z"],
      ["aud_b", "2020-02-29T23:59:59Z"],
    ] as const) {
      await sql`INSERT INTO oauth.audit_log (id, shop_id, event, actor, at) VALUES (${id}, 's', 'revoke', 'system', ${time}::text::timestamptz)`;
    }
    await cli("migrate");
    expect((await cli.json("audit", "seal")).sealed[1].records).toBe(32);
    await cli("audit", "prune", "--keep", "2", "--yes");
    const found = await verify();
    expect([found.problems, found.pruned.actor]).toEqual([[], "operator:otto"]);
    expect(found.logs[1].records).toBe(30);
    expect((await cli("audit", "verify")).stdout).toMatch(/was pruned by operator:otto on \d{4}-/);
  });

  test("a key is replaced by a new one before it; without the former one nothing is sealed, and nothing passes", async () => {
    const { cli, verify } = await world();
    await cli("audit", "seal");
    const other = cli.with({ AUDIT_SEAL_KEY: "t".repeat(32) });
    expect(await other("audit", "seal")).toEqual(
      refused(/newest seal of the log directory \(\d\) was changed, or is by another key/),
    );
    expect((await other("audit", "verify")).code).toBe(1);
    const both = cli.with({ AUDIT_SEAL_KEY: `${"t".repeat(32)}\n${KEYS.AUDIT_SEAL_KEY}\n` });
    expect((await both("audit", "seal")).code).toBe(0);
    expect((await both("audit", "verify")).code).toBe(0);
    expect((await verify()).code).toBe(1);
  });

  test.each([
    ["seal", { AUDIT_SEAL_KEY: undefined }, /AUDIT_SEAL_KEY is not set; 'openssl rand -hex 32' makes one/],
    ["verify", { AUDIT_SEAL_KEY: "short" }, /AUDIT_SEAL_KEY is shorter than 32/],
    ["verify", { AUDIT_NAMES_KEY: undefined }, /AUDIT_NAMES_KEY is not set/],
  ])("%s with %j is refused", async (command, variables, message) => {
    expect(await operator({ ...KEYS, ...variables })("audit", command)).toEqual(refused(message));
  });

  test("--expect takes the name of a seal alone", async () => {
    expect(await operator(KEYS)("audit", "verify", "--expect", "17")).toEqual(
      misused(/"17" is not the name of a seal/),
    );
  });

  test("no service reads or writes seals", async () => {
    const { database } = await world();
    for (const url of [database.authorizationServerUrl, database.resourceServerUrl]) {
      const service = connectDatabase(url, { name: "service", connections: 1 });
      await expect(service`SELECT FROM directory.audit_seals`).rejects.toMatchObject({ code: "42501" });
      await service.end();
    }
  });
});

describe("what is settled", () => {
  test("a seal waits for a transaction that is writing, and a writer never waits for a seal", async () => {
    const { sql, cli, verify } = await world();
    let sealing: Promise<unknown> | undefined;
    await sql.begin(async (tx) => {
      await tx`INSERT INTO oauth.audit_log (id, shop_id, event, actor, at) VALUES ('aud_late', 's', 'revoke', 'system', now() - interval '2 hours')`;
      sealing = cli.json("audit", "seal");
      const first = await Promise.race([sealing, new Promise((resolve) => setTimeout(resolve, 700, "waits"))]);
      expect(first).toBe("waits");
      await sql`INSERT INTO oauth.audit_log (shop_id, event, actor) VALUES ('s', 'revoke', 'system')`;
    });
    await sealing;
    const found = await verify();
    expect([found.problems, found.logs[1].records, found.logs[1].not_sealed_yet]).toEqual([[], 31, 1]);
  });
});

describe("audit export", () => {
  const lines = (text: string) =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));

  test("writes a record a line, the oldest first, and says where the next one goes on", async () => {
    const { sql, cli } = await world();
    const { stdout, stderr } = await cli("audit", "export");
    const all = lines(stdout);
    expect(all).toHaveLength(60);
    expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted());
    expect(all[1]).toEqual({
      at: expect.stringMatching(/^[\d-]+T\d\d:00:00\.000Z$/),
      id: "aud_o30",
      actor: "operator:anna",
      action: "revoke",
      client_id: "c",
      shop_id: "s",
      connection_id: null,
      merchant_id: null,
      request_id: null,
      ip: "192.0.2.1",
      detail: { n: 30 },
    });
    const [, next = ""] = /^note: 60 records; go on with --since (\S+)\n$/.exec(stderr) ?? [];
    await sql`INSERT INTO oauth.audit_log (shop_id, event, actor) VALUES ('s', 'revoke', 'system')`;
    expect(lines((await cli("audit", "export", "--since", next)).stdout)).toEqual([]);
  });

  test("--since and --until say from when until before when; two exports that meet have each record once", async () => {
    const { cli, at } = await world();
    const half = at(15).toISOString();
    const first = lines((await cli("audit", "export", "--until", half)).stdout);
    const second = lines((await cli("audit", "export", "--since", half)).stdout);
    expect([first.length, second.length]).toEqual([30, 30]);
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(60);
  });

  test("--out makes a file for its owner alone, whole or not at all, and never writes over one", async () => {
    const { cli } = await world();
    const folder = await mkdtemp(join(tmpdir(), "partner-connect-export-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const out = join(folder, "audit.jsonl");
    const said = await cli.json("audit", "export", "--out", out);
    expect(said).toMatchObject({ records: 60, since: null, file: out });
    expect(lines(await readFile(out, "utf8"))).toHaveLength(60);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    await writeFile(out, "mine");
    expect(await cli("audit", "export", "--out", out)).toEqual(
      refused(/there is a file .*audit\.jsonl already; name another/),
    );
    expect([await readFile(out, "utf8"), await readdir(folder)]).toEqual(["mine", ["audit.jsonl"]]);
    expect(await cli("audit", "export", "--out", join(folder, "no/such"))).toEqual(
      refused(/can't write .*such \(ENOENT\)/),
    );
  });

  test.each([
    [["--until", "nine"], /not a time such as/],
    [["--since", "1h", "--until", "2h"], /--until is not after --since/],
  ])("%j is a wrong command line", async (words, message) => {
    expect(await operator({})("audit", "export", ...words)).toEqual(misused(message));
  });
});
