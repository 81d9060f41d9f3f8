import { readdirSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connectDatabase, migrate, type Sql, transaction } from "@partner-connect/database";
import { MIGRATIONS, migrateBy, unmigratedDatabase } from "@partner-connect/database/testing";
import { removeData, startLocalStack } from "@partner-connect/local-stack";
import { freshRedis } from "@partner-connect/service-runtime/testing";
import { expect, test } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard, onboardApiKey } from "../../harness/actors/onboarding.ts";
import { callApi, partner } from "../../harness/actors/partner.ts";
import { generateResponses, importRecords } from "../../harness/actors/survey.ts";
import { commitBefore, startFormerRelease } from "../../harness/stack/former-release.ts";
import { UNLIMITED } from "../../harness/stack/limits.ts";
import { keepAsking } from "../../harness/stack/processes.ts";
import { countCalls, reportRow } from "../row.ts";
import { statementsFor } from "./statements-of-versions.ts";

/** Seconds that a transaction goes on that has read every table. */
const READER = 12;

/** Milliseconds that a service waits for an answer of Postgres at the token endpoint; others have more. */
const DEADLINE = 1500;

const files = readdirSync(MIGRATIONS).toSorted();
const newest = files.at(-1) ?? "";
const commit = await commitBefore(`packages/database/migrations/${newest}`);

/** A transaction that has read all our tables, and goes on for {@link READER} seconds. */
async function longReader(sql: Sql): Promise<{ readonly ended: Promise<void> }> {
  const { promise: reading, resolve } = Promise.withResolvers<void>();
  const ended = transaction(sql, async (tx) => {
    const tables = await tx<{ name: string }[]>`
      SELECT oid::regclass::text AS name FROM pg_class
      WHERE relkind IN ('r', 'p') AND relnamespace::regnamespace::text IN ('directory', 'oauth', 'survey')`;
    for (const { name } of tables) await tx`SELECT FROM ${tx(name)} LIMIT 1`;
    resolve();
    await pause(READER * 1000);
  });
  await reading;
  return { ended };
}

test(`each of ${files.length} migrations, behind a reader of ${READER} s, fails no statement of a reader or writer`, async () => {
  const database = await unmigratedDatabase(process.env["TEST_DATABASE_URL"]);
  const sql = connectDatabase(database.url, { name: "callers", connections: 10 });
  const reader = connectDatabase(database.url, { name: "long reader", connections: 1 });
  const since = performance.now();
  const failures: Record<string, number> = {};
  let requests = 0;
  for (const file of files) {
    const version = Number.parseInt(file, 10);
    const loads = statementsFor(version - 1).map((statement) =>
      keepAsking(async () => {
        const answered = sql.unsafe(statement).then(
          () => "done",
          (error: Error) => error.message,
        );
        const outcome = await Promise.race([answered, pause(DEADLINE, "late", { ref: false })]);
        return { status: outcome === "done" ? 200 : (`${statement.slice(0, 60)}: ${outcome}` as never) };
      }, 1),
    );
    const { ended } = await longReader(reader);
    const applied = await migrateBy(database.url, { folder: MIGRATIONS, upTo: version });
    await ended;
    const outcomes = await Promise.all(loads.map((load) => load.stop()));
    requests += countCalls(outcomes, [200]).requests;
    for (const outcome of outcomes) {
      for (const [what, count] of Object.entries(outcome)) {
        if (what !== "200") failures[`${file}, ${what}`] = count;
      }
    }
    expect(applied).toHaveLength(1);
  }
  const failed = Object.values(failures).reduce((all, count) => all + count, 0);
  const seconds = (performance.now() - since) / 1000;
  const scenario = `each of ${files.length} migrations, behind a reader of ${READER} s: statements`;
  reportRow({ scenario, requests, failed, seconds });
  await Promise.all([sql.end(), reader.end()]);
  await database.drop();
  expect(failures).toEqual({});
}, 600_000);

test.skipIf(commit === null)(
  `${newest}, with the services of the release before it and of this one, fails no call`,
  async () => {
    const database = await unmigratedDatabase(process.env["TEST_DATABASE_URL"]);
    const redis = await freshRedis(process.env["TEST_REDIS_URL"]);
    const stores = { DATABASE_URL: database.url, REDIS_URL: redis.url };
    const former = await startFormerRelease(commit ?? "", stores);
    const { client, merchant, shop, advancedShop } = await onboard(former.now);
    await importRecords(former.now, "response", shop, await generateResponses(200, "both versions"));
    const { key } = await onboardApiKey(former.now, advancedShop);
    const tokens = await partner(former.now, client).connect(merchantBrowser(merchant), shop);
    const source = { name: "Hats", type: "tv" };
    const callers = (stack: typeof former.now, accessToken: string) => {
      const app = partner(stack, client);
      return [
        keepAsking(() => app.call("/api/responses?limit=20", accessToken), 3),
        keepAsking(() => app.refresh(tokens.refreshToken), 3),
        keepAsking(() => callApi(`${stack.base_url}/api/sources`, key, source), 2),
        keepAsking(() => callApi(`${stack.base_url}/api/deleted-responses`, key), 1),
      ];
    };
    const ofFormer = callers(former.now, tokens.accessToken);
    const sql = connectDatabase(database.url, { name: "long reader", connections: 1 });
    const since = performance.now();
    const { ended } = await longReader(sql);
    const applied = await migrate(database.url);
    await ended;

    const dataDir = await mkdtemp(join(tmpdir(), "partner-connect-stack-"));
    const stack = await startLocalStack({ dataDir, env: { ...UNLIMITED, ...stores } });
    const now = { ...stack.state, dataDir };
    const refreshed = await partner(now, client).refresh(tokens.refreshToken);
    const ofThis = callers(now, refreshed.json().access_token);
    await partner(now, client).connect(merchantBrowser(merchant), advancedShop);
    await partner(former.now, client).connect(merchantBrowser(merchant), advancedShop);
    await pause(3000);
    const outcomes = await Promise.all([...ofFormer, ...ofThis].map((load) => load.stop()));
    const seconds = (performance.now() - since) / 1000;
    reportRow({ scenario: `${newest}, both versions`, ...countCalls(outcomes, [200, 201]), seconds });
    await Promise.all([former.stop(), stack.stop(), sql.end()]);
    await Promise.all([database.drop(), redis.drop(), removeData(dataDir)]);
    expect(applied.length).toBeGreaterThan(0);
    for (const outcome of outcomes) expect(Object.keys(outcome)).toEqual([expect.stringMatching(/^20[01]$/)]);
  },
  240_000,
);
