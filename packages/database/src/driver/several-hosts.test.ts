import { createServer, type Server } from "node:net";
import { doorTo } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeEach, expect, test } from "vitest";
import { changeDatabaseUrl, type Host, parseDatabaseUrl } from "../address/database-url.ts";
import { type DriverPool, openDriver } from "../pool/connect.ts";
import { isDatabaseFault } from "../pool/database-fault.ts";
import { suiteDatabase } from "../testing/suite.ts";

const OPTIONS = { name: "several hosts", connections: 1 };

const database = await suiteDatabase();
const alive: Host = parseDatabaseUrl(database.url).hosts[0] ?? expect.fail("no host");
let asked = 0;
const fields = "SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0";
const message = Buffer.alloc(5 + fields.length);
message.write("E");
message.writeInt32BE(4 + fields.length, 1);
message.write(fields, 5);
/** Sends each client the error that Postgres sends while it starts. */
const starting = await answering(message);
/** Accepts a connection and closes it without an answer, like a proxy without a backend. */
const wordless = await answering("");
/** Accepts connections and never answers, like a host that is gone. */
const silent = await doorTo(database.url);
silent.freeze("all");

/** A server that answers the first bytes with `message`, and closes the connection. */
async function answering(message: Buffer | string): Promise<Server> {
  const server = createServer((socket) => {
    asked++;
    socket.on("error", () => {}).on("data", () => socket.end(message));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return server;
}
afterAll(() => {
  for (const server of [starting, wordless, silent]) server.close();
});
beforeEach(() => {
  asked = 0;
});

const REFUSING: Host = { host: "127.0.0.1", port: 1 };
const at = (port: number | string): Host => ({ host: "127.0.0.1", port: Number(port) });
const hostOf = (server: Server): Host => at((server.address() as { port: number }).port);

async function ask(sql: DriverPool): Promise<unknown> {
  return await sql`SELECT 1 AS alive`.then(
    ([row]) => row?.["alive"],
    (error) => error,
  );
}

test("a new connection skips hosts that refuse it, close it, are starting up or don't answer", async () => {
  const hosts = [REFUSING, hostOf(wordless), hostOf(starting), at(silent.port), alive];
  const sql = openDriver(changeDatabaseUrl(database.url, { hosts }), OPTIONS);
  expect(await ask(sql)).toBe(1);
  expect(asked).toBe(2);
  // The next connection begins with the host that served.
  await expect(sql`SELECT pg_terminate_backend(pg_backend_pid())`).rejects.toThrow();
  await expect.poll(() => ask(sql)).toBe(1);
  expect(asked).toBe(2);
  await sql.end();
});

test("if no host serves, each host is tried once, and the query's error contains the cause but not the password", async () => {
  const { password } = parseDatabaseUrl(database.url);
  for (const [hosts, why] of [
    [[at(silent.port), REFUSING], "127.0.0.1:1"],
    [[REFUSING, at(silent.port)], silent.port],
    [[REFUSING, hostOf(starting)], "starting up"],
    [[hostOf(wordless)], "CONNECTION_CLOSED"],
    [[hostOf(wordless), REFUSING, hostOf(wordless)], "CONNECTION_CLOSED"],
  ] as const) {
    asked = 0;
    const sql = openDriver(changeDatabaseUrl(database.url, { hosts }), OPTIONS);
    const error = await ask(sql);
    expect(isDatabaseFault(error)).toBe(true);
    expect(String(error)).toContain(why);
    expect(`${error} ${JSON.stringify(error)}`).not.toContain(password);
    expect(asked).toBe(
      hosts.filter(({ port }) =>
        [hostOf(starting), hostOf(wordless)].some((host) => host.port === port),
      ).length,
    );
    await sql.end({ timeout: 0 });
  }
});

test("while every host is read-only, a query fails with UNSUITABLE_HOST and the address of a host", async () => {
  const owner = openDriver(database.url, { name: "owner", connections: 1 });
  await owner.unsafe(`CREATE ROLE read_only_test LOGIN SUPERUSER PASSWORD 'x'`);
  await owner.unsafe(`ALTER ROLE read_only_test SET default_transaction_read_only = on`);
  try {
    const as = { user: "read_only_test", password: "x" };
    const sql = openDriver(
      changeDatabaseUrl(database.url, { ...as, hosts: [alive, alive] }),
      OPTIONS,
    );
    const error = await ask(sql);
    expect(error).toMatchObject({ code: "UNSUITABLE_HOST" });
    expect(String(error)).toContain(`127.0.0.1:${alive.port} is not read-write`);
    expect(isDatabaseFault(error)).toBe(true);
    // Each new connection asks the host again, and is made once its sessions may write.
    await owner.unsafe(`ALTER ROLE read_only_test SET default_transaction_read_only = off`);
    await expect.poll(() => ask(sql)).toBe(1);
    await owner.unsafe(`ALTER ROLE read_only_test SET default_transaction_read_only = on`);
    await sql.end();
  } finally {
    await owner.unsafe(`DROP ROLE read_only_test`);
    await owner.end();
  }
});

test.each([
  ["random", "connections begin with a random host, and skip a host that does not serve"],
  ["disable", "each connection begins with the first host of the list"],
])("with load_balance_hosts=%s, %s", async (value) => {
  const parameters = new URLSearchParams({ load_balance_hosts: value });
  const url = changeDatabaseUrl(database.url, { hosts: [alive, hostOf(wordless)], parameters });
  for (let pool = 0; pool < 5; pool++) {
    const sql = openDriver(url, { name: "balanced", connections: 8 });
    const served = Array.from(
      { length: 8 },
      async () => (await sql`SELECT 1 AS alive, pg_sleep(0.02)`)[0]?.["alive"],
    );
    expect(await Promise.all(served)).toEqual(Array(8).fill(1));
    await sql.end();
  }
  if (value === "disable") expect(asked).toBe(0);
  else expect(asked).toSatisfy((refused: number) => refused > 0 && refused < 40);
});
