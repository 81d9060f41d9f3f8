import { createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { changeDatabaseUrl, type Host, parseDatabaseUrl } from "../address/database-url.ts";
import { driverAddress } from "../address/driver-address.ts";
import { openDriver } from "../pool/connect.ts";
import { suiteDatabase } from "../testing/suite.ts";

const OPTIONS = { name: "balanced", connections: 8 };

const database = await suiteDatabase();
const alive: Host = parseDatabaseUrl(database.url).hosts[0] ?? expect.fail("no host");
/** Refuses everybody at once, and counts them. */
let refusing: Server;
let refused = 0;

beforeAll(async () => {
  refusing = createServer((socket: Socket) => {
    refused++;
    socket.on("error", () => {}).destroy();
  });
  await new Promise<void>((resolve) => void refusing.listen(0, "127.0.0.1", resolve));
});
afterAll(() => void refusing.close());
beforeEach(() => {
  refused = 0;
});

function addressOf(parameters: Readonly<Record<string, string>>): string {
  const other = { host: "127.0.0.1", port: (refusing.address() as { port: number }).port };
  return changeDatabaseUrl(database.url, { hosts: [alive, other], parameters: new URLSearchParams(parameters) });
}

/** Each of `times` pools opens eight connections at once. */
async function connectOften(times: number, url: string): Promise<void> {
  for (let time = 0; time < times; time++) {
    const sql = openDriver(url, OPTIONS);
    const asked = Array.from({ length: 8 }, async () => {
      const [row] = await sql`SELECT 1 AS alive, pg_sleep(0.02)`;
      return row?.["alive"];
    });
    expect(await Promise.all(asked)).toEqual(Array(8).fill(1));
    await sql.end();
  }
}

test("with load_balance_hosts=random connections begin with any of the hosts, and pass over one that refuses", async () => {
  await connectOften(5, addressOf({ load_balance_hosts: "random" }));
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThan(40);
});

test("without it, all begin with the first of the list", async () => {
  await connectOften(2, addressOf({}));
  await connectOften(1, addressOf({ load_balance_hosts: "disable" }));
  expect(refused).toBe(0);
});

test("no other value is accepted, and none is sent to Postgres", () => {
  expect(() => driverAddress(addressOf({ load_balance_hosts: "all" }))).toThrow("must be disable or random: all");
  expect(driverAddress(addressOf({ load_balance_hosts: "random" })).url).not.toContain("load_balance");
});
