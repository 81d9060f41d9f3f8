import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { doorTo, temporaryFolder } from "@partner-connect/service-runtime/testing";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { migrate } from "../migrate/migrate.ts";
import { connectDatabase, openDriver, type PoolOptions } from "../pool/connect.ts";
import { isDatabaseFault } from "../pool/database-fault.ts";
import { suiteDatabase } from "../testing/suite.ts";
import { selfSigned } from "../testing.ts";

const OPTIONS: PoolOptions = {
  name: "tls test",
  connections: 2,
  statementTimeout: 2000,
  silence: 5000,
};
const NAMES = ["localhost", "127.0.0.1"];

const database = await suiteDatabase();
const owner = database.connect(database.url, { name: "owner", connections: 1 });
const folder = temporaryFolder(afterAll);

afterAll(async () => {
  await owner.unsafe("ALTER SYSTEM RESET ssl");
  await owner`SELECT pg_reload_conf()`;
});

afterEach(() => void vi.unstubAllEnvs());

function at(parameters: string, host = "127.0.0.1"): string {
  const url = new URL(database.url);
  url.hostname = host;
  url.search = parameters;
  return url.href;
}

/** Connects. Returns whether the server says that the connection has TLS, or why it failed. */
async function outcome(url: string, options: PoolOptions): Promise<unknown> {
  const sql = openDriver(url, options);
  return await sql`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`
    .then(
      ([row]) => `connected, encrypted: ${row?.["ssl"]}`,
      (error) => (isDatabaseFault(error) ? "fault" : error),
    )
    .finally(() => sql.end());
}

/** Gives the server a certificate for these names, and returns its file. */
async function certify(names: readonly string[]): Promise<string> {
  const { certificate, key } = selfSigned(names);
  for (const [name, pem] of Object.entries({ "tls-test.crt": certificate, "tls-test.key": key })) {
    const base64 = Buffer.from(pem).toString("base64");
    await owner.unsafe(`COPY (SELECT '${base64}') TO PROGRAM 'umask 077; base64 -d > ${name}'`);
  }
  await owner.unsafe("ALTER SYSTEM SET ssl_cert_file = 'tls-test.crt'");
  await owner.unsafe("ALTER SYSTEM SET ssl_key_file = 'tls-test.key'");
  await owner.unsafe("ALTER SYSTEM SET ssl = on");
  await owner`SELECT pg_reload_conf()`;
  const file = join(folder, "root.crt");
  await writeFile(file, certificate);
  // The server loads the certificate once it has received the signal.
  const isTaken = () =>
    outcome(at(`?sslmode=verify-ca&sslrootcert=${file}`), { name: "probe", connections: 1 });
  await expect.poll(isTaken, { timeout: 30_000 }).toBe("connected, encrypted: true");
  return file;
}

test("a server without TLS is refused only if the database URL requires TLS", async () => {
  await owner.unsafe("ALTER SYSTEM SET ssl = off");
  await owner`SELECT pg_reload_conf()`;
  await expect
    .poll(() => outcome(at("?sslmode=require"), OPTIONS), { timeout: 30_000 })
    .toBe("fault");
  expect(await outcome(at(""), OPTIONS)).toBe("connected, encrypted: false");
  expect(await outcome(at("?sslmode=disable"), OPTIONS)).toBe("connected, encrypted: false");
});

test("a connection uses TLS only if the database URL or PGSSL requires it", async () => {
  const root = await certify(NAMES);
  expect(await outcome(at("?sslmode=require"), OPTIONS)).toBe("connected, encrypted: true");
  expect(await outcome(at(`?sslmode=require&sslrootcert=${root}`), OPTIONS)).toBe(
    "connected, encrypted: true",
  );
  expect(await outcome(at(""), OPTIONS)).toBe("connected, encrypted: false");
  vi.stubEnv("PGSSL", "require");
  expect(await outcome(at(""), OPTIONS)).toBe("connected, encrypted: true");
});

test("when the server falls silent on a TLS connection, the query fails and the pool connects again", async () => {
  await certify(NAMES);
  const door = await doorTo(database.url);
  const sql = openDriver(
    at("?sslmode=require").replace(`:${new URL(database.url).port}/`, `:${door.port}/`),
    {
      ...OPTIONS,
      connections: 1,
      silence: 2000,
    },
  );
  try {
    expect(await sql`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`).toEqual([
      { ssl: true },
    ]);
    door.freeze("open");
    await expect(sql`SELECT 1`).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    const isBack = async () => (await sql`SELECT 1 AS alive`.catch(() => [])).length === 1;
    await expect.poll(isBack, { timeout: 30_000 }).toBe(true);
  } finally {
    await sql.end({ timeout: 0 });
    door.close();
  }
});

test("a server is refused unless its certificate chains to the root and, with verify-full, matches the host", async () => {
  const root = await certify(NAMES);
  for (const host of NAMES) {
    const url = at(`?sslmode=verify-full&sslrootcert=${root}`, host);
    expect(await outcome(url, OPTIONS)).toBe("connected, encrypted: true");
  }
  const stranger = join(folder, "stranger.crt");
  await writeFile(stranger, selfSigned(NAMES).certificate);
  for (const mode of ["require", "verify-ca", "verify-full"]) {
    expect(await outcome(at(`?sslmode=${mode}&sslrootcert=${stranger}`), OPTIONS)).toBe("fault");
  }
  expect(await outcome(at("?sslmode=verify-full"), OPTIONS)).toBe("fault");
  expect(await outcome(at("?sslrootcert=system"), OPTIONS)).toBe("fault");
  const elsewhere = await certify(["db.example"]);
  expect(await outcome(at(`?sslmode=verify-full&sslrootcert=${elsewhere}`), OPTIONS)).toBe("fault");
  expect(await outcome(at(`?sslmode=verify-ca&sslrootcert=${elsewhere}`), OPTIONS)).toBe(
    "connected, encrypted: true",
  );
});

test("migrations use the TLS settings of the database URL", async () => {
  const root = await certify(NAMES);
  expect(await migrate(at(`?sslmode=verify-full&sslrootcert=${root}`))).toEqual([]);
});

test("connectDatabase throws if the root certificate can't be read", () => {
  const url = at(`?sslmode=verify-full&sslrootcert=${join(folder, "none.crt")}`);
  expect(() => connectDatabase(url, { name: "tls test" })).toThrow("ENOENT");
});
