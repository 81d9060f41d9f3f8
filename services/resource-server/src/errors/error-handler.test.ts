import { afterAll, beforeAll, expect, test } from "vitest";
import { Statement } from "../authorization/statement.ts";
import { readPage } from "../pagination/page-reader.ts";
import { openDatabases } from "../stores/open-databases.ts";
import { type TestResourceServer, testResourceServer } from "../testing.ts";
import { asApiError } from "./error-handler.ts";

let server: TestResourceServer;

beforeAll(async () => {
  server = await testResourceServer();
});
afterAll(() => server.close());

test("what can't be, unless our own code is wrong, is 500, which nobody is told to try again", async () => {
  const databases = openDatabases(server.database.resourceServerUrl);
  const statement = new Statement();
  statement.text = "SELECT 'allowed' AS state, NULL AS records WHERE false";
  const parameters = { cursor: null, limit: 1, given: [] };
  const reading = readPage(databases.reads, {
    shopId: "none",
    statement,
    parameters,
    expected: 0,
    allocate: Buffer.alloc,
  });
  const error = await reading.then(() => expect.unreachable(), asApiError);
  await databases.end();
  expect([error.status, error.body, error.headers]).toEqual([500, { error: "internal_error" }, {}]);
});
