import { spawn } from "node:child_process";
import { once } from "node:events";
import { connectDatabase } from "@partner-connect/database";
import { waitingSessions } from "@partner-connect/database/testing";
import { expect, test } from "vitest";
import { ndjson, suiteSurvey } from "../testing.ts";
import { IMPORT_STEP } from "./staged-records.ts";

const survey = await suiteSurvey();

const RECORDS = 2 * IMPORT_STEP + 1;
const idOf = (index: number) => `r${index}`;
const lines = ndjson(
  ...Array.from({ length: RECORDS }, (_, i) => ({ id: idOf(i), question: "Who?", response: "TV" })),
);

/** Imports stdin, in a separate process. */
const IMPORTER = `
  const { connectDatabase } = await import("@partner-connect/database");
  const { importResponses } = await import(process.argv[1]);
  const sql = connectDatabase(process.argv[2], { name: "importer" });
  await importResponses(sql, { shopId: process.argv[3], lines: process.stdin }, { name: "operator:test" });
  process.exit();
`;

test("if an import is killed during a step, the earlier steps stay stored and the next run imports the remaining records", async () => {
  const shopId = await survey.newShop();
  const index = new URL("../index.ts", import.meta.url).href;
  const other = connectDatabase(survey.url, { name: "other", connections: 1 });
  const undone = other.begin(async (inside) => {
    // An uncommitted row for the second step's last record makes the importer wait.
    await inside`
      INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
      VALUES (${shopId}, ${idOf(2 * IMPORT_STEP - 1)}, now(), now(), '{}')`;
    const child = spawn(
      process.execPath,
      ["--input-type=module", "--eval", IMPORTER, index, survey.url, shopId],
      {
        cwd: new URL("../..", import.meta.url),
        stdio: ["pipe", "ignore", "inherit"],
      },
    );
    child.stdin.end(lines.join(""));
    await expect.poll(() => waitingSessions(survey.sql), { timeout: 60_000 }).toBeGreaterThan(0);
    child.kill("SIGKILL");
    await once(child, "close");
    // Postgres checks every second whether its client is still connected.
    await expect.poll(() => waitingSessions(survey.sql), { timeout: 60_000 }).toBe(0);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  await other.end();
  const firstStep = new Set(Array.from({ length: IMPORT_STEP }, (_, index) => idOf(index)));
  expect(new Set((await survey.responses(shopId)).map(({ id }) => id))).toEqual(firstStep);
  const inserted = { event: "response_import", details: { inserted: IMPORT_STEP } };
  expect(await survey.records(shopId)).toMatchObject([inserted]);
  // The feeds of the shop's partners have entries for the stored records.
  const notes = await survey.sql`SELECT kinds FROM oauth.change_notes WHERE shop_id = ${shopId}`;
  expect(notes).toEqual([{ kinds: ["responses"] }]);
  const rest = { inserted: RECORDS - IMPORT_STEP, unchanged: IMPORT_STEP };
  expect(await survey.importLines(shopId, lines)).toMatchObject(rest);
  expect(await survey.responses(shopId)).toHaveLength(RECORDS);
}, 180_000);
