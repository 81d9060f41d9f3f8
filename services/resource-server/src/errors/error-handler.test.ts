import { expect, test } from "vitest";
import { Statement } from "../authorization/statement.ts";
import { Pages } from "../pagination/page.ts";
import { suiteServer } from "../testing.ts";
import { asApiError } from "./error-handler.ts";

const server = await suiteServer();

test("what can't be, unless our own code is wrong, is 500, which nobody is told to try again", async () => {
  const statement = new Statement();
  statement.text = "SELECT 'allowed' AS state, NULL AS records WHERE false";
  const parameters = { cursor: null, limit: 1, given: [] };
  const pages = new Pages({ sql: server.sql, usage: server.usage, publicApiUrl: "" });
  const error = await pages.read(statement, parameters).then(() => expect.unreachable(), asApiError);
  expect([error.status, error.body, error.headers]).toEqual([500, { error: "internal_error" }, {}]);
});
