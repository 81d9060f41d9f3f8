import { setTimeout as pause } from "node:timers/promises";
import { connectDatabase, migrate, type Sql, transaction } from "@partner-connect/database";
import { migrationFolder } from "@partner-connect/database/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../../harness/actors/http.ts";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard, onboardApiKey } from "../../harness/actors/onboarding.ts";
import { callApi, type Partner, partner, type Tokens } from "../../harness/actors/partner.ts";
import { generateResponses, importRecords } from "../../harness/actors/survey.ts";
import { keepAsking } from "../../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";
import { countCalls, reportRow } from "../row.ts";

/** Seconds that a transaction goes on that has read every table, as a backup has: longer than any caller is kept waiting. */
const READER = process.env["TEST_NIGHTLY"] ? 12 : 4;

/** What every call needs. */
const TABLES = ["directory.clients", "directory.shops", "oauth.connections", "survey.responses", "survey.sources"];

let stack: OwnStack;
let sql: Sql;
let app: Partner;
let tokens: Tokens;
let key: string;

beforeAll(async () => {
  stack = await startOwnStack();
  sql = connectDatabase(stack.now.database_url, { name: "long reader" });
  const { client, merchant, shop, advancedShop } = await onboard(stack.now);
  app = partner(stack.now, client);
  await importRecords(stack.now, "response", shop, generateResponses(200, "migrations"));
  tokens = await app.connect(merchantBrowser(merchant), shop);
  ({ key } = await onboardApiKey(stack.now, advancedShop));
});
afterAll(async () => {
  await sql?.end();
  await stack?.stop();
});

test(`a migration of every table that is read, behind a reader of ${READER} s, fails no call`, async () => {
  const { promise: reading, resolve } = Promise.withResolvers<void>();
  const reader = transaction(sql, async (tx) => {
    for (const table of TABLES) await tx`SELECT FROM ${tx(table)} LIMIT 1`;
    resolve();
    await pause(READER * 1000);
  });
  await reading;
  const source = { name: "Hats", type: "tv" };
  const loads = {
    "a page": keepAsking(() => app.call("/api/responses?limit=20", tokens.accessToken), 4),
    "a page by key": keepAsking(() => callApi(`${stack.now.base_url}/api/responses?limit=1`, key), 2),
    "a refresh": keepAsking(() => app.refresh(tokens.refreshToken), 4),
    "a new source": keepAsking(() => callApi(`${stack.now.base_url}/api/sources`, key, source), 2),
    "an authorization": keepAsking(() => send(app.attempt().url, { headers: { accept: "text/html" } }), 1),
  };
  const folder = await migrationFolder({
    "1001.do.a-column-each.sql": TABLES.map((table) => `ALTER TABLE ${table} ADD COLUMN probe text;`).join("\n"),
  });
  const since = performance.now();
  const lines: string[] = [];
  const applied = await migrate(stack.now.database_url, { folder: folder.url, report: (line) => lines.push(line) });
  const seconds = (performance.now() - since) / 1000;
  await reader;
  await folder.remove();
  const outcomes = Object.fromEntries(
    await Promise.all(Object.entries(loads).map(async ([what, load]) => [what, await load.stop()] as const)),
  );
  reportRow({
    scenario: `a migration behind a reader of ${READER} s`,
    ...countCalls(Object.values(outcomes), [200, 201, 302]),
    seconds,
  });
  expect(applied).toEqual(["1001 a-column-each"]);
  expect(lines[0]).toMatch(
    /^waiting for \S+: held by pid \d+ \(user \w+, application long reader, idle in transaction/,
  );
  expect(outcomes).toEqual({
    "a page": { 200: expect.any(Number) },
    "a page by key": { 200: expect.any(Number) },
    "a refresh": { 200: expect.any(Number) },
    "a new source": { 201: expect.any(Number) },
    "an authorization": { 302: expect.any(Number) },
  });
}, 60_000);
