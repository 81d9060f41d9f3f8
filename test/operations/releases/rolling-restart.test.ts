import { afterAll, beforeAll, expect, test } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard, onboardApiKey } from "../../harness/actors/onboarding.ts";
import { callApi, type Partner, partner, type Tokens } from "../../harness/actors/partner.ts";
import { generateResponses, importRecords } from "../../harness/actors/survey.ts";
import { readSlowly } from "../../harness/faults/slow-reader.ts";
import { keepAsking, restart } from "../../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";
import { countCalls, reportRow } from "../row.ts";

/** Each replica twice; with the long scenarios five times. */
const RESTARTS = process.env["TEST_NIGHTLY"] ? 20 : 8;
const RECORDS = 1000;
/** Characters: a page of all is some 10 MB, more than the kernel keeps for a reader. */
const LONG = 10_000;

let stack: OwnStack;
let app: Partner;
let tokens: Tokens;
let key: string;
let url: string;

beforeAll(async () => {
  stack = await startOwnStack();
  const { client, merchant, shop, advancedShop } = await onboard(stack.now);
  app = partner(stack.now, client);
  const records = generateResponses(RECORDS, "rolling restart");
  const long = records.map((record) => ({ ...record, other_response: "long ".repeat(LONG / 5) }));
  await importRecords(stack.now, "response", shop, long);
  tokens = await app.connect(merchantBrowser(merchant), shop);
  ({ key } = await onboardApiKey(stack.now, advancedShop));
  url = `${stack.now.base_url}/api/responses?limit=${RECORDS}`;
});
afterAll(() => stack?.stop());

test(`${RESTARTS} restarts in a row fail no request and cut no answer, however slowly it is read`, async () => {
  const authorization = `Bearer ${tokens.accessToken}`;
  const loads = {
    "a large page": keepAsking(async () => {
      const { status, body } = await readSlowly(url, { authorization });
      return { status: status === 200 ? JSON.parse(body.toString()).data.length : status };
    }, 2),
    "a page": keepAsking(() => app.call("/api/responses?limit=1", tokens.accessToken), 2),
    "a refresh": keepAsking(() => app.refresh(tokens.refreshToken), 2),
    "a new source": keepAsking(
      () => callApi(`${stack.now.base_url}/api/sources`, key, { name: "Hats", type: "tv" }),
      2,
    ),
  };
  const servers = stack.now.processes.map(({ name }) => name).filter((name) => name.includes("-server-"));
  const names = Array.from({ length: RESTARTS }, (_, turn) => servers[turn % servers.length] ?? "");
  for (const name of names) await restart(stack, name, "SIGTERM");
  const outcomes = Object.fromEntries(
    await Promise.all(Object.entries(loads).map(async ([what, load]) => [what, await load.stop()] as const)),
  );
  reportRow({
    scenario: `rolling restart, ${RESTARTS} times, slow readers included`,
    ...countCalls(Object.values(outcomes), [RECORDS, 200, 201]),
  });
  expect(outcomes, JSON.stringify(outcomes)).toEqual({
    "a large page": { [RECORDS]: expect.any(Number) },
    "a page": { 200: expect.any(Number) },
    "a refresh": { 200: expect.any(Number) },
    "a new source": { 201: expect.any(Number) },
  });
}, 300_000);
