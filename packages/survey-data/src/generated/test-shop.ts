import type { Actor } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import { deleteResponses, recategorizeResponses } from "../change-responses.ts";
import { importQuestions, importResponses } from "../import/import-records.ts";
import { categoriesOf, QUESTIONS } from "./catalog.ts";
import { generateQuestions, generateResponses } from "./generate.ts";
import { seededRandom } from "./random.ts";

const SYSTEM = { name: "system" };

/** Responses generated for a test shop's first year. */
const RESPONSES = 2000;

/** Changes apply to responses among this number of the newest. */
const CHANGING = 200;

/**
 * Fills a test shop with questions and a year of generated responses. Idempotent. Needs the owner's
 * role or the back office's. @throws {UnknownShopError}
 */
export async function fillTestShop(sql: Sql, shopId: string): Promise<void> {
  const [known] = await sql<{ at: Date }[]>`
    SELECT created_at AS at FROM directory.shops WHERE id = ${shopId}`;
  const to = known?.at.getTime() ?? Date.now();
  await importQuestions(sql, { shopId, lines: generateQuestions({ to }) }, SYSTEM);
  const lines = generateResponses({ count: RESPONSES, seed: shopId, to });
  await importResponses(sql, { shopId, lines }, SYSTEM);
}

/**
 * Simulates a minute of a test shop, without audit records; `step` chooses the responses.
 * @throws {UnknownShopError}
 */
export async function simulateTestShop(sql: Sql, shopId: string, step: number): Promise<void> {
  const random = seededRandom(`${shopId} ${step}`);
  const firstOrder = firstOrderOf(step) + CHANGED.add;
  const from = { seed: `${shopId} ${step}`, firstOrder };
  const lines = [...generateResponses({ count: ADDED, ...from })].map(removeIdAndTimes);
  await importResponses(sql, { shopId, lines }, null);
  const last = await sql<{ id: string; question: string; given: string | null }[]>`
    SELECT id, doc::json ->> 'question_id' AS question, doc::json ->> 'response' AS given FROM survey.responses
    WHERE shop_id = ${shopId} ORDER BY inserted_at DESC, id DESC LIMIT ${CHANGING}`;
  if (last.length < CHANGING) return;
  const { id, question, given } = random.pick(last);
  const deleted = [0, 1].map(() => random.pick(last).id);
  const response = random.pick(categoriesOf(Number(question)).filter((one) => one !== given));
  await recategorizeResponses(sql, { shopId, ids: [id], response }, null);
  await deleteResponses(sql, { shopId, ids: deleted }, null);
}

/** Responses per requested change. */
const CHANGED = { add: 20, recategorize: 5, delete: 1 } as const;

/** Responses added each minute. */
const ADDED = 2;

/** Index of a step's first order. Those of a requested change come before those of the minute. */
const firstOrderOf = (step: number): number => RESPONSES + step * (CHANGED.add + ADDED);

/** Maximum responses of a test shop after a requested addition. */
const MAX_RESPONSES = 5000;

/**
 * Applies a partner's requested change to the newest responses: adds 20, recategorizes 5 or deletes
 * one, with audit records. Returns how many changed; 0 if the shop has no responses or, for 'add',
 * too many. Needs the owner's role or the back office's. Index: responses_pkey.
 * @throws {UnknownShopError}
 */
export async function applyTestShopChange(
  sql: Sql,
  shopId: string,
  change: keyof typeof CHANGED,
  step: number,
  actor: Actor,
): Promise<number> {
  const wanted = CHANGED[change];
  if (change === "add") {
    if ((await countTestShopResponses(sql, shopId)) + wanted > MAX_RESPONSES) return 0;
    const from = { seed: `${shopId} ${step} ${change}`, firstOrder: firstOrderOf(step) };
    const lines = [...generateResponses({ count: wanted, ...from })].map(removeIdAndTimes);
    return (await importResponses(sql, { shopId, lines }, actor)).inserted;
  }
  const newest = await sql<{ id: string; [field: string]: string | null }[]>`
    SELECT id, doc::json ->> 'question_id' AS question, doc::json ->> 'response' AS response,
      doc::json ->> 'original_response' AS original FROM survey.responses WHERE shop_id = ${shopId} ORDER BY inserted_at DESC, id DESC LIMIT ${CHANGING}`;
  if (change === "delete") {
    const ids = newest.slice(0, wanted).map(({ id }) => id);
    return (await deleteResponses(sql, { shopId, ids }, actor)).deleted;
  }
  // All get the same option of the first question, so only its answers are changed.
  const answers = newest.filter((one) => Number(one["question"]) === QUESTIONS[0]?.id);
  const [response] = leastFrequentOptions(answers.map((one) => one["response"]));
  const others = answers
    .filter((one) => one["response"] !== response && one["original"] !== response)
    .slice(0, wanted);
  if (response === undefined || others.length === 0) return 0;
  return (
    await recategorizeResponses(sql, { shopId, ids: others.map(({ id }) => id), response }, actor)
  ).changed;
}

/** The options of the first question, least frequent first. */
function leastFrequentOptions(given: readonly (string | null | undefined)[]): string[] {
  const times = (value: string) => given.filter((each) => each === value).length;
  return [...categoriesOf(QUESTIONS[0]?.id)].sort((a, b) => times(a) - times(b));
}

/** Index: responses_pkey. */
export async function countTestShopResponses(sql: Sql, shopId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM survey.responses WHERE shop_id = ${shopId}`;
  return row?.count ?? 0;
}

/** The line of a new response: the import assigns id and times. */
function removeIdAndTimes(line: string): string {
  const {
    id: _,
    inserted_at: _i,
    updated_at: _u,
    response_provided_at: _p,
    ...fields
  } = JSON.parse(line);
  return `${JSON.stringify(fields)}\n`;
}
