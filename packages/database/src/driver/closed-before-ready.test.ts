import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDriver } from "../pool/connect.ts";
import { freshDatabase, type TestDatabase } from "../testing.ts";

let database: TestDatabase;
/** As a proxy without a backend: it takes a connection, and closes it without a word. */
let wordless: Server;
let connections = 0;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  wordless = createServer((socket) => {
    connections++;
    socket.on("error", () => {}).on("data", () => socket.end());
  });
  await new Promise<void>((resolve) => void wordless.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  wordless.close();
  await database.drop();
});

function portOf(server: Server): number {
  return (server.address() as { port: number }).port;
}

test("a server that closes before it is ready fails the query", async () => {
  connections = 0;
  const url = `postgres://x:y@127.0.0.1:${portOf(wordless)}/x`;
  const sql = openDriver(url, { name: "away", connections: 1 });
  await expect(sql`SELECT 1`).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  await expect(sql`SELECT 1`).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  expect(connections).toBe(2);
  await sql.end();
});

test("of several hosts each is tried once, and the first that answers is taken", async () => {
  const { port, username, password, pathname } = new URL(database.url);
  const dead = `127.0.0.1:${portOf(wordless)}`;
  const at = (hosts: string) => `postgres://${username}:${password}@${hosts}${pathname}`;
  connections = 0;
  const away = openDriver(at(`${dead},127.0.0.1:1,${dead}`), { name: "away", connections: 1 });
  await expect(away`SELECT 1`).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  expect(connections).toBe(2);
  await away.end();
  const sql = openDriver(at(`127.0.0.1:1,${dead},127.0.0.1:${port}`), { name: "several", connections: 1 });
  expect(await sql`SELECT 1 AS alive`).toEqual([{ alive: 1 }]);
  await sql.end();
});
