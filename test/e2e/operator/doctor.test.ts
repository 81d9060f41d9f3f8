import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connectDatabase, type Sql } from "@partner-connect/database";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { runOperator } from "../../harness/actors/operator.ts";
import { alteredReplica } from "../../harness/stack/altered-replica.ts";
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
    env: { AUTHORIZATION_SERVER_REPLICAS: "1", RESOURCE_SERVER_REPLICAS: "1", NOTIFIER_REPLICAS: "1" },
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

/** Of what the operator's container has, with the values of this stack: what docker-compose.yml gives it, and its image. */
async function containerEnvironment(): Promise<Record<string, string>> {
  const compose = parse(await readFile(join(ROOT, "docker-compose.yml"), "utf8"), { merge: true });
  const dockerfile = await readFile(join(ROOT, "deploy/Dockerfile"), "utf8");
  const { now, internalUrls } = stack;
  const values = {
    DATABASE_URL: now.database_url,
    REDIS_URL: now.redis_url,
    RESOURCE_SERVER_REDIS_URL: now.resource_server_redis_url,
    PUBLIC_BASE_URL: now.base_url,
    REPLICAS: Object.values(internalUrls).join(","),
    SIGNING_KEYS_FILE: join(now.dataDir, "signing-keys.json"),
  };
  const isGiven = (name: string) =>
    name in compose["x-operator"].environment || new RegExp(`^ENV .*\\b${name}=`, "m").test(dockerfile);
  return Object.fromEntries(Object.entries(values).filter(([name]) => isGiven(name)));
}

async function doctor(words: readonly string[] = [], given: Readonly<Record<string, string>> = {}) {
  const env = { ...(await containerEnvironment()), DATA_DIR: "/nowhere", ...given };
  const { exitCode, stdout, stderr } = await runOperator(stack.now, ["doctor", "--json", ...words], { env });
  expect([stderr, stdout]).toEqual(["", expect.stringMatching(/^\[/)]);
  return { exitCode, findings: JSON.parse(stdout) as Finding[] };
}

/** What it finds: by each check that is not fine, what it says. */
async function found(words?: readonly string[], env?: Readonly<Record<string, string>>) {
  const { exitCode, findings } = await doctor(words, env);
  expect(exitCode).toBe(1);
  const wrong = findings.filter(({ ok }) => !ok);
  for (const finding of wrong) expect(finding.do).toMatch(/\w/);
  return Object.fromEntries(wrong.map(({ check, found }) => [check, found]));
}

// The first test: others here give the services reason to warn.
test("the services start without a warning: their logs are JSON records, none above the level info", async () => {
  const folder = join(stack.now.dataDir, "logs");
  const files = (await readdir(folder)).filter((name) => /^((authorization|resource)-server|notifier)-\d/.test(name));
  expect(files.length).toBe(Object.keys(stack.internalUrls).length);
  for (const file of files) {
    const lines = (await readFile(join(folder, file), "utf8")).split("\n").filter((line) => line !== "");
    expect(lines.filter((line) => !line.startsWith("{") || JSON.parse(line).level > 30)).toEqual([]);
  }
});

test("a healthy stack is all fine", async () => {
  // A notifier may take the relay's lease a moment after it is ready.
  await expect.poll(async () => (await doctor()).findings.filter(({ ok }) => !ok)).toEqual([]);
  const { exitCode, findings } = await doctor();
  expect(exitCode).toBe(0);
  expect(findings.length).toBeGreaterThan(15);
  expect(findings.every((finding) => finding.do === null && finding.found !== "")).toBe(true);
});

test("that merchants' pages link to no help, and the docs to no support, is said, and is no fault", async () => {
  const { findings } = await doctor();
  const said =
    "HELP_URL is not set: merchants' pages link to no help; SUPPORT_URL is not set: the docs for partners name no place to ask";
  expect(findings.find(({ check }) => check === "help-link")).toMatchObject({ ok: true, found: said });
});

test("replicas are counted with all connections to Postgres that they open", async () => {
  // As scaling.md says.
  const [authorizationServer, resourceServer, notifier] = [3, 7, 5];
  const { findings } = await doctor();
  expect(findings.find(({ check }) => check === "postgres-connections")?.found).toContain(
    `; 3 replicas may take ${authorizationServer + resourceServer + notifier}, `,
  );
});

test("what is wrong in Postgres is found, each by its check, with what to do about it", async () => {
  const [newest] = await sql`
    DELETE FROM public.schema_version WHERE version = (SELECT max(version) FROM public.schema_version) RETURNING *`;
  try {
    await sql`ALTER TABLE oauth.connections RESET (fillfactor)`;
    await sql`ALTER TABLE directory.merchants ADD CONSTRAINT planted CHECK (name <> 'planted') NOT VALID`;
    await sql`INSERT INTO directory.merchants (email, name, password_hash) VALUES ('a', 'one', ''), ('b', 'one', '')`;
    await expect(sql`CREATE UNIQUE INDEX CONCURRENTLY planted ON directory.merchants (name)`).rejects.toThrow(
      "could not create unique index",
    );
    await sql`GRANT SELECT ON survey.responses TO authorization_server`;
    await sql`REVOKE SELECT ON directory.client_members FROM authorization_server`;
    await sql`REVOKE SELECT (plan) ON directory.shops FROM resource_server`;
    await sql`ALTER ROLE resource_server CREATEDB`;
    await sql`ALTER TABLE oauth.audit_log_default DISABLE TRIGGER audit_log_is_append_only`;
    await sql`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'oauth.connections_pkey'::regclass`;
    await sql`
      INSERT INTO directory.merchant_links (token_hash, email, expires_at)
      VALUES ('planted', 'a', now() - interval '40 days')`;
    await sql`ALTER ROLE resource_server RESET enable_sort`;
    await sql`ALTER SYSTEM SET synchronous_commit = off`;
    await sql`SELECT pg_reload_conf()`;
    const months = await sql<{ name: string }[]>`
      SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'directory.audit_log'::regclass
      AND inhrelid::regclass::text ~ '_20[0-9]{2}_' ORDER BY 1`;
    for (const { name } of months) await sql`DROP TABLE ${sql(name)}`;
    await sql`
      CREATE TABLE oauth.api_usage_planted PARTITION OF oauth.api_usage FOR VALUES FROM ('2020-01-01Z') TO ('2020-02-01Z')`;
    expect(await found()).toEqual({
      migrations: expect.stringContaining(`not applied: ${String(newest?.["version"]).padStart(3, "0")}.do.`),
      "table-settings": expect.stringContaining("fillfactor 100"),
      constraints: "not validated: planted on directory.merchants",
      indexes: "not valid: directory.planted, oauth.connections_pkey",
      triggers: "switched off: audit_log_is_append_only of oauth.audit_log_default",
      roles: [
        "resource_server has more rights than a service needs",
        "must not: authorization_server: SELECT of survey.responses",
        "must not: resource_server: SELECT (domain, id, name) of directory.shops",
        "can't: authorization_server: SELECT of directory.client_members",
        "can't: resource_server: SELECT (domain, id, name, plan) of directory.shops",
      ].join("; "),
      "role-settings": "not as it should be: enable_sort of resource_server",
      "postgres-durability": "synchronous_commit is off",
      "audit-months": expect.stringMatching(/^directory.audit_log has \d months ahead$/),
      retention: "merchant_links: 1 should have gone a week ago; oauth.api_usage keep more than 15 months",
    });
    const { findings } = await doctor();
    const remedyOf = (name: string) => findings.find(({ check }) => check === name)?.do;
    expect(remedyOf("indexes")).toContain("DROP INDEX CONCURRENTLY directory.planted;");
    expect(remedyOf("indexes")).toContain("REINDEX INDEX CONCURRENTLY oauth.connections_pkey;");
    expect(remedyOf("triggers")).toBe("ALTER TABLE oauth.audit_log_default ENABLE TRIGGER audit_log_is_append_only;");
    const grants =
      remedyOf("roles")
        ?.split(/(?<=;) /)
        .filter((each) => /^(GRANT|REVOKE)/.test(each)) ?? [];
    expect(grants).toHaveLength(4);
    for (const each of grants) await sql.unsafe(each);
    expect((await found())["roles"]).toBe("resource_server has more rights than a service needs");
  } finally {
    await sql`
      INSERT INTO public.schema_version
      SELECT * FROM jsonb_populate_record(NULL::public.schema_version, ${sql.json(newest ?? {})})`;
    await sql`ALTER TABLE oauth.connections SET (fillfactor = 85)`;
    await sql`ALTER TABLE directory.merchants DROP CONSTRAINT IF EXISTS planted`;
    await sql`DROP INDEX IF EXISTS directory.planted`;
    await sql`UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'oauth.connections_pkey'::regclass`;
    await sql`ALTER TABLE oauth.audit_log_default ENABLE TRIGGER audit_log_is_append_only`;
    await sql`DELETE FROM directory.merchant_links WHERE token_hash = 'planted'`;
    await sql`ALTER ROLE resource_server NOCREATEDB`;
    await sql`ALTER ROLE resource_server SET enable_sort = off`;
    await sql`ALTER SYSTEM RESET synchronous_commit`;
    await sql`SELECT pg_reload_conf()`;
    await sql`DROP TABLE IF EXISTS oauth.api_usage_planted`;
  }
  expect((await runOperator(stack.now, ["migrate"])).exitCode).toBe(0);
  expect((await doctor()).exitCode).toBe(0);
});

test("who keeps an old snapshot is named, so that vacuum can go on", async () => {
  const reader = connectDatabase(stack.now.database_url, { name: "long reader", connections: 1 });
  try {
    await reader.begin(async (inside) => {
      await inside`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`;
      const [row] =
        await inside`SELECT pg_backend_pid() AS pid FROM directory.shops RIGHT JOIN (SELECT 1) one ON true LIMIT 1`;
      await sql.unsafe("SET synchronous_commit = off");
      await sql.unsafe("DO $$ BEGIN FOR i IN 1..100001 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$");
      expect(await found()).toEqual({
        "postgres-snapshots": expect.stringMatching(
          new RegExp(`^pid ${row?.["pid"]} \\(.* long reader, idle in transaction\\), for 100\\d{3} transactions$`),
        ),
      });
    });
    expect((await doctor()).findings).toContainEqual(
      expect.objectContaining({ check: "postgres-snapshots", ok: true, do: null }),
    );
  } finally {
    await sql.unsafe("RESET synchronous_commit");
    await reader.end();
  }
});

test("a relay that stands is found", async () => {
  const writer = connectDatabase(stack.now.database_url, { name: "test", connections: 1 });
  try {
    await writer.begin(async (inside) => {
      await inside`SELECT FROM oauth.leases FOR UPDATE`;
      const isOver = async () => (await sql`SELECT FROM oauth.leases WHERE until < now() - interval '5 s'`).length;
      await expect.poll(isOver, { timeout: 30_000 }).toBe(1);
      expect(await found()).toEqual({ relay: expect.stringMatching(/^nobody has relayed changes for \d+ s$/) });
    });
    await expect.poll(async () => (await doctor()).exitCode, { timeout: 30_000 }).toBe(0);
  } finally {
    await writer.end();
  }
});

test("changes that are not relayed are found, though a notifier has the lease", async () => {
  try {
    await sql`REVOKE DELETE ON oauth.change_notes FROM notifier`;
    await sql`INSERT INTO oauth.change_notes (shop_id, kinds, at) VALUES ('shop', '{responses}', now() - interval '2 minutes')`;
    expect(await found()).toEqual({
      relay: expect.stringMatching(/^changes wait for 1[2-9]\d s to be relayed$/),
      roles: "can't: notifier: DELETE of oauth.change_notes",
    });
  } finally {
    await sql`GRANT DELETE ON oauth.change_notes TO notifier`;
  }
  await expect.poll(async () => (await doctor()).exitCode, { timeout: 30_000 }).toBe(0);
});

test("what is wrong in Redis and in the keys file is found, each by its check", async () => {
  const file = join(stack.now.dataDir, "signing-keys.json");
  const old = join(stack.now.dataDir, "old-keys.json");
  const text = await readFile(file, "utf8");
  await writeFile(old, text.replaceAll(/"20\d\d-[^"]*Z"/g, '"2020-01-01T00:00:00.000Z"'), { mode: 0o644 });
  await chmod(old, 0o644);
  await redis.config("SET", "appendfsync", "everysec");
  await resourceServerRedis.config("SET", "maxmemory", "0");
  try {
    expect(await found([], { SIGNING_KEYS_FILE: old })).toEqual({
      redis: "appendfsync is everysec",
      "resource-server-redis": "maxmemory is not set",
      "signing-keys": `${old} has the mode 644, so others may read or change it`,
      "key-age": expect.stringMatching(/^the active key is \d{4} days old$/),
    });
    const { exitCode, stdout } = await runOperator(stack.now, ["doctor"]);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^✗ redis +appendfsync is everysec\n +→ CONFIG SET appendfsync always;/m);
    expect(stdout).toMatch(/^✓ postgres +Postgres 18/m);
    expect(stdout).toMatch(/2 of \d+ checks found something\.\n$/);
  } finally {
    await redis.config("SET", "appendfsync", "always");
    await resourceServerRedis.config("SET", "maxmemory", "128mb");
  }
});

test("a replica of another release, with other keys, or another time is found, each by its check", async () => {
  const { "authorization-server-1": one = "", "resource-server-1": other = "" } = stack.internalUrls;
  const alterations = {
    versions: { text: (_: string, text: string) => text.replace(/version="0\.1\.0"/, 'version="0.0.9"') },
    "replica-keys": {
      text: (path: string, text: string) =>
        path === "/keys" ? text.replace(/"known":\[[^\]]*/, '"known":["none"') : text,
    },
    clocks: { secondsAhead: -7 },
  };
  const says = {
    versions: expect.stringMatching(/ is 0\.0\.9 /),
    "replica-keys": expect.stringMatching(/ does not know /),
    clocks: expect.stringMatching(/ is \d\.\d s behind$/),
  };
  for (const [check, alteration] of Object.entries(alterations)) {
    const altered = await alteredReplica(other, alteration);
    expect(await found(["--replica", one, "--replica", altered.url])).toEqual({
      [check]: says[check as keyof typeof says],
    });
    await altered.close();
  }
});

test("what could not be asked is said to be so, and is not fine; no password is told", async () => {
  const { database_url } = stack.now;
  const env = {
    DATABASE_URL: database_url,
    REDIS_URL: "redis://:pass-word@127.0.0.1:2",
    RESOURCE_SERVER_REDIS_URL: "",
    PUBLIC_BASE_URL: "",
    REPLICAS: `http://127.0.0.1:2,${stack.internalUrls["resource-server-1"]}`,
  };
  const wrong = await found([], env);
  expect(wrong).toEqual({
    configuration: "PUBLIC_BASE_URL is not set, so links for merchants have no address",
    redis: "could not ask: Redis does not answer (ECONNREFUSED)",
    "resource-server-redis": "could not ask: RESOURCE_SERVER_REDIS_URL is not set",
    replicas: "could not ask 127.0.0.1:2: ECONNREFUSED",
    versions: "could not ask 127.0.0.1:2: ECONNREFUSED",
    "replica-keys": "could not ask 127.0.0.1:2: ECONNREFUSED",
    clocks: "could not ask: Redis does not answer (ECONNREFUSED)",
  });
  expect(JSON.stringify(wrong)).not.toContain("pass-word");
  const away = await found([], { ...env, DATABASE_URL: "postgres://owner:pass-word@127.0.0.1:2/none" });
  expect(away).toMatchObject({ postgres: expect.stringMatching(/^could not ask: Postgres does not answer/) });
  expect(JSON.stringify(away)).not.toContain("pass-word");
});
