import { afterAll, beforeAll, expect, test } from "vitest";
import { shopOfLargePages } from "../answers/testing.ts";
import { Statement } from "../authorization/statement.ts";
import { type TestResourceServer, testResourceServer } from "../testing.ts";
import { openDatabases } from "./open-databases.ts";

let server: TestResourceServer;

beforeAll(async () => {
  server = await testResourceServer();
});
afterAll(() => server.close());

/** The process of Postgres that answers: one for each connection. */
function sleeping(seconds: number): Statement {
  const statement = new Statement();
  statement.text = `SELECT pg_backend_pid()::text AS process, pg_sleep(${statement.bind(seconds)})`;
  return statement;
}

test("250 reads of one shop wait at its own expense: another shop's is answered after the few that were under way", async () => {
  const databases = openDatabases(server.database.resourceServerUrl, { statementTimeout: 60_000 });
  const read = async (shopId: string) => String((await databases.reads.readRow(shopId, sleeping(0.01)))?.[0]);
  const answers: unknown[] = [];
  const all = Array.from({ length: 250 }, () => read("hog").then((process) => answers.push(process)));
  await expect.poll(() => answers.length).toBeGreaterThan(0);
  const before = answers.length;
  const [answeredBy, meanwhile] = await read("other").then((process) => [process, answers.slice(before)] as const);
  // Each connection answers in order: at most 32 of a shop are under way.
  expect(meanwhile.filter((process) => process === answeredBy).length).toBeLessThanOrEqual(32);
  await Promise.all(all);
  await databases.end();
});

test("pages that are expected to be very large have a connection of their own", async () => {
  const shop = await shopOfLargePages(server);
  const page = async (limit: number): Promise<number> => {
    const response = await server.get(`/api/responses?limit=${limit}`, shop.apiKey);
    return (await response.arrayBuffer()).byteLength;
  };
  const connections = async (): Promise<number> => {
    const [row] = await server.owner<{ count: number }[]>`
      SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'resource-server large pages'`;
    return row?.count ?? 0;
  };
  // How large the shop's records are is known by the first page.
  expect(await page(1000)).toBeGreaterThan(9_000_000);
  expect(await page(10)).toBeGreaterThan(90_000);
  expect(await connections()).toBe(0);
  expect(await page(1000)).toBeGreaterThan(9_000_000);
  expect(await connections()).toBe(1);
});
