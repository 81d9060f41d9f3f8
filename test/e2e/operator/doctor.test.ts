import { once } from "node:events";
import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { connectDatabase, type Sql } from "@partner-connect/database";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { runOperator } from "../../harness/actors/operator.ts";
import { withDatabase } from "../../harness/engines/postgres-cluster.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  readonly do: string | null;
}

const ROOT = join(import.meta.dirname, "../../..");

let stack: OwnStack;
let sql: Sql;
let redis: Redis;
let resourceServerRedis: Redis;

beforeAll(async () => {
  stack = await startOwnStack({
    ownStores: true,
    env: {
      AUTHORIZATION_SERVER_REPLICAS: "1",
      RESOURCE_SERVER_REPLICAS: "1",
      WORKER_REPLICAS: "1",
    },
  });
  sql = connectDatabase(stack.now.database_url, { name: "test", connections: 1 });
  redis = new Redis(stack.now.redis_url);
  resourceServerRedis = new Redis(stack.now.resource_server_redis_url);
});
afterAll(async () => {
  await sql?.end();
  redis?.disconnect();
  resourceServerRedis?.disconnect();
  await stack?.stop();
});

/** The environment of the operator's container (docker-compose.yml, Dockerfile), for this stack. */
async function containerEnvironment(): Promise<Record<string, string>> {
  const compose = parse(await readFile(join(ROOT, "docker-compose.yml"), "utf8"), { merge: true });
  const dockerfile = await readFile(join(ROOT, "deploy/Dockerfile"), "utf8");
  const { now, internalUrls } = stack;
  const values = {
    DATABASE_URL: now.database_url,
    REDIS_URL: now.redis_url,
    RESOURCE_SERVER_REDIS_URL: now.resource_server_redis_url,
    REPLICAS: Object.values(internalUrls).join(","),
    SIGNING_KEYS_FILE: join(now.dataDir, "signing-keys.json"),
  };
  const isGiven = (name: string) =>
    name in compose["x-operator"].environment ||
    new RegExp(`^ENV .*\\b${name}=`, "m").test(dockerfile);
  return Object.fromEntries(Object.entries(values).filter(([name]) => isGiven(name)));
}

async function doctor(words: readonly string[] = [], given: Readonly<Record<string, string>> = {}) {
  const env = { ...(await containerEnvironment()), DATA_DIR: "/nowhere", ...given };
  const command = ["doctor --json", ...words];
  const { exitCode, stdout, stderr } = await runOperator(stack.now, command, { env });
  expect([stderr, stdout]).toEqual(["", expect.stringMatching(/^\[/)]);
  const all = JSON.parse(stdout) as Finding[];
  expect(exitCode).toBe(all.every(({ ok }) => ok) ? 0 : 1);
  // The disk is left out, because this machine's may be full.
  return all.filter(({ check }) => check !== "disk");
}

const problems = async () => (await doctor()).filter(({ ok }) => !ok);

/** The findings of failed checks and warnings, by name. */
async function found(words?: readonly string[], env?: Readonly<Record<string, string>>) {
  const wrong = (await doctor(words, env)).filter(({ ok }) => !ok);
  for (const finding of wrong) expect(finding.do).toMatch(/\w/);
  return Object.fromEntries(wrong.map(({ check, found }) => [check, found]));
}

// This test comes first, because the others cause warnings.
test("the services start without a warning, and their logs are JSON records of at most level info", async () => {
  const folder = join(stack.now.dataDir, "logs");
  const files = (await readdir(folder)).filter((name) =>
    /^(authorization-server-\d|resource-server-\d|worker|back-office)\b/.test(name),
  );
  expect(files.length).toBe(Object.keys(stack.internalUrls).length);
  for (const file of files) {
    const lines = (await readFile(join(folder, file), "utf8"))
      .split("\n")
      .filter((line) => line !== "");
    expect(lines.filter((line) => !line.startsWith("{") || JSON.parse(line).level > 30)).toEqual(
      [],
    );
  }
});

test("in a healthy stack, doctor finds no problem, but warns with a remedy that there is no backup", async () => {
  expect(await problems()).toEqual([]);
  expect((await doctor()).filter((finding) => finding.do !== null)).toEqual([
    {
      check: "postgres-archive",
      ok: true,
      found: "archive_mode is off, so no restore to a point in time is possible",
      do: expect.stringContaining("postgres.md"),
    },
  ]);
  const { stdout } = await runOperator(stack.now, ["doctor"]);
  expect(stdout).toMatch(/^! postgres-archive +archive_mode is off.*\n +→ /m);
});

test("each Postgres check of doctor reports its problem, and nothing once the problem is repaired", async () => {
  const days = (count: number) => sql`now() - make_interval(days => ${count})`;
  await sql.unsafe(`
    DROP INDEX oauth.change_notes_by_age;
    CREATE INDEX own ON directory.merchants (name);
    GRANT SELECT ON survey.responses TO authorization_server;
    REVOKE SELECT (plan) ON directory.shops FROM resource_server;
    REVOKE DELETE ON oauth.change_notes FROM worker;
    ALTER ROLE resource_server RESET enable_sort`);
  await sql`ALTER ROLE resource_server CREATEDB`;
  await sql`ALTER SYSTEM SET synchronous_commit = off`;
  await sql`SELECT pg_reload_conf()`;
  await sql`UPDATE public.schema_version SET run_at = ${days(8)}`;
  await sql`INSERT INTO oauth.change_notes (shop_id, kinds, at) VALUES ('shop', '{responses}', ${days(1)})`;
  await sql`INSERT INTO worker_jobs.job (name, source_name) VALUES ('failed', 'mail')`;
  const months = await sql<{ name: string }[]>`
    SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'directory.audit_log'::regclass
    AND inhrelid::regclass::text ~ '_20[0-9]{2}_' ORDER BY 1`;
  for (const { name } of months) await sql`DROP TABLE ${sql(name)}`;
  expect(await found()).toEqual({
    postgres: "synchronous_commit is off",
    schema: "missing: index oauth.change_notes_by_age; not ours: index directory.own",
    roles: [
      "resource_server has more rights than a service needs",
      "not ours: SELECT (domain, id, name) ON directory.shops TO resource_server",
      "not ours: SELECT ON survey.responses TO authorization_server",
      "missing: DELETE ON oauth.change_notes TO worker",
      "missing: SELECT (domain, id, name, plan) ON directory.shops TO resource_server",
      "not set: ALTER ROLE resource_server SET enable_sort TO 'off'",
    ].join("; "),
    jobs: expect.stringMatching(
      /^changes wait for 8\d{4} s to be relayed; jobs mail failed: 1; the purge has not run for 7 days; directory.audit_log has partitions for only \d months ahead$/,
    ),
  });
  const findings = await doctor();
  const statements = findings.flatMap(
    ({ do: remedy }) =>
      remedy
        ?.split(/(?<=;) ?;? ?/)
        .filter((each) => /^(GRANT|REVOKE|CREATE|ALTER SYSTEM|SELECT)/.test(each)) ?? [],
  );
  for (const each of statements) await sql.unsafe(each);
  await sql`ALTER ROLE resource_server NOCREATEDB`;
  await sql`DROP INDEX directory.own`;
  await sql`DELETE FROM worker_jobs.job`;
  expect((await runOperator(stack.now, ["migrate"])).exitCode).toBe(0);
  await sql`SELECT back_office_jobs.add('purge', '{}')`;
  await expect.poll(problems, { timeout: 30_000 }).toEqual([]);
});

test("doctor's remedy for a primary that is read-only by a setting of the database makes it writable", async () => {
  const url = new URL(stack.now.database_url);
  url.pathname = "/postgres";
  const finding = async () =>
    (await doctor([], { DATABASE_URL: url.href })).find(({ check }) => check === "postgres");
  await sql`ALTER DATABASE postgres SET default_transaction_read_only = on`;
  const readOnly = await finding();
  expect(readOnly?.found).toBe("default_transaction_read_only is on");
  const [, statements = ""] = readOnly?.do?.split("unless another server is the primary: ") ?? [];
  await withDatabase(url.href, (session) => session.unsafe(statements), true);
  expect(await finding()).toMatchObject({ ok: true });
});

test("doctor reports an incomplete schema once, not for each check that needs it", async () => {
  const [newest] = await sql`
    DELETE FROM public.schema_version WHERE version = (SELECT max(version) FROM public.schema_version) RETURNING *`;
  try {
    expect(await found()).toEqual({ schema: expect.stringMatching(/^not applied: 00\d\.do\./) });
  } finally {
    await sql`
      INSERT INTO public.schema_version
      SELECT * FROM jsonb_populate_record(NULL::public.schema_version, ${sql.json(newest ?? {})})`;
  }
});

test("doctor reports the session whose old snapshot keeps vacuum from removing rows", async () => {
  const reader = connectDatabase(stack.now.database_url, { name: "long reader", connections: 1 });
  try {
    await sql`
      INSERT INTO survey.stamps (shop_id, stamp, changes) SELECT 'planted ' || i, now(), '{}' FROM generate_series(1, 10001) i`;
    await reader.begin(async (inside) => {
      await inside`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`;
      const [row] =
        await inside`SELECT pg_backend_pid() AS pid FROM directory.shops RIGHT JOIN (SELECT 1) one ON true LIMIT 1`;
      for (let round = 0; round < 2; round++) {
        await sql`UPDATE survey.stamps SET changes = '{}' WHERE shop_id LIKE 'planted %'`;
      }
      await sql`SELECT pg_stat_force_next_flush()`;
      await sql`SELECT`;
      expect(await found()).toEqual({
        "postgres-snapshots": expect.stringMatching(
          new RegExp(
            `^2\\d{4} dead rows in survey.stamps, kept by pid ${row?.["pid"]} \\(.* long reader, idle in transaction\\)$`,
          ),
        ),
      });
    });
  } finally {
    await sql`DELETE FROM survey.stamps WHERE shop_id LIKE 'planted %'`;
    await reader.end();
  }
  // A round of the worker may hold the versions back for a moment too.
  const problemsAfterVacuum = () => sql`VACUUM survey.stamps`.then(problems);
  await expect.poll(problemsAfterVacuum).toEqual([]);
});

test("doctor's checks of both Redis servers and of the signing keys' file report their problems", async () => {
  const file = join(stack.now.dataDir, "signing-keys.json");
  const old = join(stack.now.dataDir, "old-keys.json");
  const text = await readFile(file, "utf8");
  await writeFile(old, text.replaceAll(/"20\d\d-[^"]*Z"/g, '"2020-01-01T00:00:00.000Z"'), {
    mode: 0o644,
  });
  await chmod(old, 0o644);
  await redis.config("SET", "appendfsync", "everysec");
  await resourceServerRedis.config("SET", "maxmemory", "0");
  try {
    expect(await found([], { SIGNING_KEYS_FILE: old })).toEqual({
      redis: "appendfsync is everysec",
      "resource-server-redis": "maxmemory is not set",
      "signing-keys": expect.stringMatching(
        /old-keys\.json has the mode 644, so others may read or change it; the active key is \d{4} days old$/,
      ),
    });
    await resourceServerRedis.config("SET", "maxmemory", "1");
    const { exitCode, stdout } = await runOperator(stack.now, ["doctor"]);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^✗ redis +appendfsync is everysec\n +→ CONFIG SET appendfsync always;/m,
    );
    expect(stdout).toMatch(/^✓ postgres +Postgres 18/m);
    expect(stdout).toMatch(/ % of maxmemory is used\n +→ raise it \(alerts\.md, 'RedisFull'\);/);
    expect(stdout).toMatch(/2 of 12 checks found a problem\.\n$/);
  } finally {
    await redis.config("SET", "appendfsync", "always");
    await resourceServerRedis.config("SET", "maxmemory", "128mb");
  }
  const findings = await doctor([], { SIGNING_KEYS_FILE: "/nowhere/keys.json" });
  expect(findings.find(({ check }) => check === "signing-keys")).toMatchObject({
    ok: false,
    found: "there is no file /nowhere/keys.json",
    do: expect.stringMatching(
      /^restore the file from its backup; only for a new installation: partner-connect keys generate/,
    ),
  });
});

test.each([
  [
    "of another release",
    "replicas",
    / is 0\.0\.9 /,
    (text: string) => text.replace('version="0.1.0"', 'version="0.0.9"'),
  ],
  [
    "with other keys",
    "replicas",
    / does not know .*; 127\.0\.0\.1:\d+ still accepts none, /,
    (text: string) => text.replace(/"known":\[[^\]]*/, '"known":["none"'),
  ],
  ["whose clock is slow", "clocks", / is \d\.\d s behind$/, null],
])("doctor reports a replica %s", async (_, check, says, altered) => {
  const { "authorization-server-1": one = "", "resource-server-1": other = "" } =
    stack.internalUrls;
  const server = createServer(async (request, response) => {
    const answer = await fetch(other + request.url);
    const text = await answer.text();
    const date = new Date(Date.now() - (altered ? 0 : 7000)).toUTCString();
    const type = answer.headers.get("content-type") ?? "text/plain";
    response.writeHead(answer.status, { "content-type": type, date }).end(altered?.(text) ?? text);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as { port: number };
  expect(await found([], { REPLICAS: `${one},http://127.0.0.1:${port}` })).toEqual({
    [check]: expect.stringMatching(says),
  });
});

test("doctor reports a stopped store once, without its password, and skips the checks that need the store", async () => {
  const { database_url } = stack.now;
  const noRedis = await found([], {
    DATABASE_URL: database_url,
    REDIS_URL: "redis://:pass-word@127.0.0.1:2",
    RESOURCE_SERVER_REDIS_URL: "",
  });
  expect(noRedis).toEqual({
    redis: "could not ask: Redis does not answer (ECONNREFUSED)",
    "resource-server-redis": "could not ask: RESOURCE_SERVER_REDIS_URL is not set",
  });
  const stopped = "http://127.0.0.1:2,http://stopped.invalid:9000"; // a stopped container has no name
  const REPLICAS = `${stopped},${stack.internalUrls["resource-server-1"]}`;
  expect(await found([], { REPLICAS })).toEqual({
    replicas: expect.stringMatching(
      /^could not ask 127.0.0.1:2: ECONNREFUSED; could not ask stopped.invalid:9000: E\w+/,
    ),
  });
  const away = "postgres://owner:pass-word@127.0.0.1:2/none";
  const findings = await doctor([], { DATABASE_URL: away });
  expect(findings.map(({ check, ok }) => [check, ok])).toEqual([
    ["postgres", false],
    ["redis", true],
    ["resource-server-redis", true],
    ["signing-keys", true],
    ["clocks", true],
  ]);
  expect(findings[0]?.found).toMatch(/^could not ask: Postgres does not answer/);
  expect(JSON.stringify([noRedis, findings])).not.toContain("pass-word");
});
