import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { deleteResponses } from "../change-responses.ts";
import { ndjson, suiteSurvey } from "../testing.ts";
import { receiveDeletions, receiveQuestions, receiveResponses } from "./import-records.ts";

const survey = await suiteSurvey();
const { sql, responses, recategorize } = survey;

let shopId: string;
beforeEach(async () => {
  shopId = await survey.newShop();
});

const call = (records: readonly object[], shop = shopId) => ({
  ...{ shopId: shop, lines: ndjson(...records), requireId: () => {} },
});
const post = async (...records: readonly object[]) => {
  const {
    records: sent,
    inserted,
    updated,
  } = await receiveResponses(sql, call(records), TEST_OPERATOR);
  return { created: inserted, updated, unchanged: sent - inserted - updated };
};
const ask = (...questions: readonly object[]) =>
  receiveQuestions(sql, call(questions), TEST_OPERATOR);
const answer = (id: string, response: string, more: object = {}) => ({
  id,
  question: "Who?",
  response,
  ...more,
});

const version = fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined });
const id = fc.constantFrom("a", "b");
const response = fc.constantFrom("TV", "Radio");
const event = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("post" as const), id, response, version }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("delete" as const),
      id,
      version,
      many: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant("patch" as const), id, response }),
);

/** The expected state of a record after an event. A deletion keeps the version. */
type Known = { response: string | undefined; version: number | undefined };
function expected(
  now: Known,
  event: { kind: string; response?: string; version?: number | undefined },
): Known {
  const { kind, response, version = now.version } = event;
  const isLate = version !== undefined && now.version !== undefined && version < now.version;
  if (kind === "patch") return now.response === undefined ? now : { ...now, response };
  if (kind === "delete")
    return isLate && now.response !== undefined
      ? now
      : { response: undefined, version: max(version, now.version) };
  const isDeleted =
    now.response === undefined && event.version !== undefined && version === now.version;
  return isLate || isDeleted ? now : { response, version };
}
const max = (a = -1, b = -1) => (Math.max(a, b) < 0 ? undefined : Math.max(a, b));

test("a late call never undoes a newer version of a record, whatever the order of the calls", async () => {
  const property = fc.asyncProperty(fc.array(event, { maxLength: 12 }), async (events) => {
    const shop = await survey.newShop();
    const known: Record<string, Known> = {};
    for (const event of events) {
      const { id } = event;
      known[id] = expected(known[id] ?? { response: undefined, version: undefined }, event);
      const version = event.kind === "patch" ? undefined : event.version;
      const sent = { id, ...(version !== undefined && { version }) };
      if (event.kind === "post") {
        const records = [{ ...answer(id, event.response), ...sent }];
        await receiveResponses(sql, call(records, shop), TEST_OPERATOR);
      } else if (event.kind === "patch") {
        await recategorize(shop, [id], event.response);
      } else if (event.many) await receiveDeletions(sql, call([sent], shop), TEST_OPERATOR);
      else await deleteResponses(sql, { shopId: shop, ids: [id], version }, TEST_OPERATOR);
    }
    const rows = Object.entries(known).flatMap(([id, { response }]) =>
      response ? [{ id, response }] : [],
    );
    expect(await responses(shop)).toMatchObject(rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    const versions = await sql<
      { id: string }[]
    >`SELECT id, version::int FROM survey.responses WHERE shop_id = ${shop} ORDER BY id`;
    expect(versions).toEqual(
      versions.map(({ id }) => ({ id, version: known[id]?.version ?? null })),
    );
  });
  await fc.assert(property, { numRuns: 30 });
});

test("if a call repeats an id, the record with the highest version is stored or, without versions, the last record", async () => {
  const counts = await post(
    ...[
      answer("a", "1", { version: 2 }),
      answer("a", "2", { version: 3 }),
      answer("a", "3", { version: 1 }),
    ],
    ...[answer("b", "1"), answer("b", "2")],
  );
  expect(counts).toEqual({ created: 2, updated: 0, unchanged: 3 });
  expect(await responses(shopId)).toMatchObject([{ response: "2" }, { response: "2" }]);
});

test("a call with the same id both with and without a version is refused, for records and for deletions", async () => {
  const [versioned, plain] = [answer("a", "1", { version: 5 }), answer("a", "2")];
  const mix = { message: expect.stringContaining("line 2: version "), errors: [{ line: 2 }] };
  await expect(post(versioned, plain)).rejects.toMatchObject(mix);
  await expect(post(plain, versioned)).rejects.toMatchObject(mix);
  const deletions = call([{ id: "a", version: 5 }, { id: "a" }]);
  await expect(receiveDeletions(sql, deletions, TEST_OPERATOR)).rejects.toMatchObject(mix);
});

test("a newer version with equal content changes nothing, but lower versions are ignored from then on", async () => {
  await post(answer("a", "TV", { version: 1 }));
  const before = await responses(shopId);
  expect(await post(answer("a", "TV", { version: 3 }))).toEqual({
    created: 0,
    updated: 0,
    unchanged: 1,
  });
  expect(await post(answer("a", "Radio", { version: 2 }))).toEqual({
    created: 0,
    updated: 0,
    unchanged: 1,
  });
  expect(await responses(shopId)).toEqual(before);
  expect(before[0]).not.toHaveProperty("version");
});

test("the deletion of an unknown record stores its version, and is hidden from partners", async () => {
  const one = await receiveDeletions(
    sql,
    call([{ id: "a", version: 2 }, { id: "b" }]),
    TEST_OPERATOR,
  );
  expect(one).toEqual({ records: 2, superseded: 0, deleted: 0, older: 0 });
  expect(await post(answer("a", "TV", { version: 2 }))).toEqual({
    created: 0,
    updated: 0,
    unchanged: 1,
  });
  const listed = () =>
    sql`SELECT id FROM survey.deleted_responses WHERE shop_id = ${shopId} AND NOT is_hidden`;
  expect(await listed()).toEqual([]);
  expect(await post(answer("a", "TV", { version: 3 }))).toMatchObject({ created: 1 });
  await receiveDeletions(sql, call([{ id: "a" }]), TEST_OPERATOR);
  expect(await listed()).toEqual([{ id: "a" }]);
});

const QUESTION = {
  ...{ id: 7, prompt: "How did you hear of us?", type: "single_response" },
  responses: [{ id: 1, value: "TV" }, { id: 2, value: "Radio" }, { value: "Other" }],
};
const asked = { question: QUESTION.prompt, question_type: QUESTION.type, question_id: 7 };

test("a response without its question's text gets the stored texts of the question and the option", async () => {
  await ask(QUESTION);
  await post(
    { id: "a", question_id: 7, response_id: 2 },
    { id: "b", question_id: 7, question: "", response: "Friends", question_type: "open_ended" },
    { id: "c", question_id: 7, response_id: 9, other_response: "A poster" },
    { id: "d", question: "Why?", question_id: 7, response: "x" },
  );
  expect(await responses(shopId)).toMatchObject([
    { ...asked, response_id: 2, response: "Radio" },
    { ...asked, response: "Friends", question_type: "open_ended" },
    { ...asked, response: null, other_response: "A poster" },
    { question: "Why?", question_type: null, response: "x" },
  ]);
});

test("a response sent again without its question's text changes nothing, even if the question changed or was deleted", async () => {
  await ask(QUESTION);
  const sent = { id: "a", question_id: 7, response_id: 1 };
  await post(sent, { ...sent, id: "b" });
  await recategorize(shopId, ["b"], "Media");
  const before = await responses(shopId);
  await ask({
    ...QUESTION,
    prompt: "Who told you?",
    responses: [{ id: 1, value: "Television" }],
  });
  const again = { created: 0, updated: 0, unchanged: 2 };
  expect(await post(sent, { ...sent, id: "b" })).toEqual(again);
  await sql`DELETE FROM survey.questions WHERE shop_id = ${shopId}`;
  expect(await post(sent, { ...sent, id: "b" })).toEqual(again);
  expect(await responses(shopId)).toEqual(before);
  expect(before).toMatchObject([
    { response: "TV" },
    { response: "Media", original_response: "TV" },
  ]);
  await ask({ ...QUESTION, id: 8 });
  await post({ ...sent, question_id: 8, response_id: 2 });
  expect((await responses(shopId))[0]).toMatchObject({ question_id: 8, response: "Radio" });
});

test("a response sent again with only a write-in keeps its category only if the write-in is the same", async () => {
  await ask(QUESTION);
  const written = (id: string, other_response: string) => ({
    id,
    question_id: 7,
    other_response,
  });
  await post({ id: "a", question_id: 7, response: "Friends" }, written("b", "A poster"));
  await recategorize(shopId, ["b"], "Outdoor");
  await post(written("a", "A friend"), written("b", "A poster"));
  expect(await responses(shopId)).toMatchObject([
    { response: null, other_response: "A friend" },
    { response: "Outdoor", original_response: "A poster" },
  ]);
  await post(written("b", "A wall"));
  expect((await responses(shopId))[1]).toMatchObject({ response: null, original_response: null });
});

test("if a response can't be completed from its question, the call stores no record and reports up to ten bad lines", async () => {
  await ask(QUESTION, { ...QUESTION, id: 8, prompt: "é".repeat(2000) });
  const unknown = (line: number) => ({ line, field: "question_id" });
  const sent = (id: string, more: object) => ({ id, question_id: 7, response_id: 1, ...more });
  const bad = [
    answer("a", "TV"),
    sent("b", { question_id: 9 }),
    sent("c", { response_id: 3 }),
    sent("d", { response_id: null }),
    sent("e", { emial: "" }),
    sent("f", { question_id: 8, utm_term: "x".repeat(63_000) }),
    ...Array.from({ length: 9 }, (_, index) => sent(`g${index}`, { question_id: 100 + index })),
  ];
  const refused = receiveResponses(sql, call(bad), TEST_OPERATOR);
  await expect(refused).rejects.toMatchObject({
    message: "line 2: there is no question 9: send the question first, or `question`",
    errors: [
      unknown(2),
      { line: 3, field: "response_id" },
      { line: 4, field: "response" },
      { line: 5, field: "emial" },
      { line: 6, message: "line 6: is longer than 64 KiB with its question" },
      ...[7, 8, 9, 10, 11].map(unknown),
    ],
  });
  expect(await responses(shopId)).toEqual([]);
});

test("a question with updated_at is refused, because the server sets that time", async () => {
  const asking = ask({ id: 1, prompt: "Who?", updated_at: "2026-01-01T00:00:00Z" });
  await expect(asking).rejects.toThrow("line 1: updated_at is the time at which");
});

test("a call of more than 10,000 records is refused", async () => {
  const records = Array.from({ length: 10_001 }, (_, index) => answer(`r${index}`, "TV"));
  await expect(post(...records)).rejects.toMatchObject({ code: "TOO_MANY_RECORDS" });
  expect(await post(...records.slice(1))).toMatchObject({ created: 10_000 });
});
