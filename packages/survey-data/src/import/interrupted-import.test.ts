import { spawn } from "node:child_process";
import { once } from "node:events";
import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generateResponses } from "../generated/index.ts";
import { ndjson, type TestSurvey, testSurvey } from "../testing.ts";
import { importResponses } from "./import-records.ts";

let survey: TestSurvey;

beforeAll(async () => {
  survey = await testSurvey();
});

afterAll(() => survey.close());

/** An import in a process of its own, which says 'reading' or 'storing' as it goes. */
const IMPORTER = `
  const { connectDatabase } = await import("@partner-connect/database");
  const { generateResponses } = await import("@partner-connect/survey-data/generated");
  const { importResponses } = await import(process.argv[1]);
  const sql = connectDatabase(process.argv[2], { name: "importer" });
  const onProgress = ({ phase }) => console.log(phase);
  await importResponses(sql, { shopId: process.argv[3], lines: generateResponses({ count: 30000 }), onProgress }, { name: "operator:test" });
  process.exit();
`;

async function importersBackends(): Promise<number> {
  return (await survey.sql`SELECT FROM pg_stat_activity WHERE application_name = 'importer'`).count;
}

test.each(["reading", "storing"])(
  "an importer killed while %s leaves nothing and holds nothing up",
  async (phase) => {
    const shopId = await survey.newShop();
    const index = new URL("../index.ts", import.meta.url).href;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", IMPORTER, index, survey.url, shopId], {
      cwd: new URL("../..", import.meta.url),
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    for await (const chunk of child.stdout) {
      said += chunk;
      if (said.includes(phase)) break;
    }
    expect(said).toContain(phase);
    child.kill("SIGKILL");
    await once(child, "close");
    await expect.poll(importersBackends, { timeout: 60_000 }).toBe(0);
    expect(await survey.responses(shopId)).toEqual([]);
    const lines = ndjson({ id: "a", question: "Who?", response: "TV" });
    expect(await importResponses(survey.sql, { shopId, lines }, TEST_OPERATOR)).toMatchObject({ inserted: 1 });
  },
  180_000,
);

test("an import whose connection is lost fails, leaves nothing, and can be run again", async () => {
  const shopId = await survey.newShop();
  const lines = [...generateResponses({ count: 3000 })];
  let cut = 0;
  const losing = importResponses(
    survey.sql,
    {
      shopId,
      lines: (async function* () {
        for (const line of lines) {
          if (cut++ === 2000) {
            await survey.sql`
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE '%COPY staged_records%' AND pid <> pg_backend_pid()`;
          }
          yield line;
        }
      })(),
    },
    TEST_OPERATOR,
  );
  await expect(losing).rejects.toMatchObject({ code: expect.stringMatching(/^(CONNECTION_|ECONN|EPIPE|57P01)/) });
  expect(await survey.responses(shopId)).toEqual([]);
  expect(await importResponses(survey.sql, { shopId, lines }, TEST_OPERATOR)).toMatchObject({ inserted: 3000 });
});

test("two imports of one shop at once are one after the other, and neither is lost", async () => {
  const shopId = await survey.newShop();
  const seeds = ["one", "two", "one"];
  const results = await Promise.all(
    seeds.map((seed) =>
      importResponses(survey.sql, { shopId, lines: generateResponses({ count: 2000, seed }) }, TEST_OPERATOR),
    ),
  );
  expect(results.reduce((sum, result) => sum + result.inserted, 0)).toBe(4000);
  expect(results.reduce((sum, result) => sum + result.unchanged, 0)).toBe(2000);
  expect(await survey.responses(shopId)).toHaveLength(4000);
});

test("a slow source keeps no other writer of the shop waiting", async () => {
  const shopId = await survey.newShop();
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const slow = importResponses(
    survey.sql,
    {
      shopId,
      lines: (async function* () {
        yield* ndjson({ id: "slow", question: "Who?", response: "TV" });
        await finished;
      })(),
    },
    TEST_OPERATOR,
  );
  await importResponses(
    survey.sql,
    { shopId, lines: ndjson({ id: "quick", question: "Who?", response: "TV" }) },
    TEST_OPERATOR,
  );
  expect(await survey.responses(shopId)).toMatchObject([{ id: "quick" }]);
  finish();
  await slow;
  const [quick, last] = await survey.responses(shopId);
  expect(String(last?.["updated_at"]) > String(quick?.["updated_at"])).toBe(true);
});
