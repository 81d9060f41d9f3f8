import { freshDatabase } from "@partner-connect/database/testing";
import { expect, test } from "vitest";
import { withDatabase } from "./command.ts";
import { readConfig } from "./config.ts";

test("a command's sessions don't hold locks for ever, nor wait for them, unless they read whole tables", async () => {
  const database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  const terminal = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
  const context = { config: readConfig({ DATABASE_URL: database.url }), terminal };
  const settings = (options?: Parameters<typeof withDatabase>[2]) =>
    withDatabase(
      context,
      (sql) => sql`
        SELECT current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('statement_timeout') AS statement`,
      options,
    );
  expect(await settings()).toEqual([{ idle: "1min", statement: "10s" }]);
  expect(await settings({ statementTimeout: 0 })).toEqual([{ idle: "1min", statement: "0" }]);
  await database.drop();
});
