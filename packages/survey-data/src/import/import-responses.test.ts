import { Readable } from "node:stream";
import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { generateResponses } from "../generated/index.ts";
import { RESPONSE_FIELDS } from "../record/response-record.ts";
import { givenStamps, ndjson, responseContent, suiteSurvey } from "../testing.ts";
import { type ImportProgress, importResponses } from "./import-records.ts";
import { IMPORT_STEP } from "./staged-records.ts";

const survey = await suiteSurvey();

const NOTHING = { inserted: 0, updated: 0, backfilled: 0, unchanged: 0, older: 0, superseded: 0 };
const T1 = "2026-01-01T00:00:00.000Z";
const T2 = "2026-02-01T00:00:00.000Z";

function answer(id: string, response: string, stamps: object = {}): object {
  return { id, question: "Who?", response, ...stamps };
}

const { importInto, importLines, newShop, shopWith } = survey;

test("an imported record has the given fields, and null for absent fields, in the published order", async () => {
  const records = fc.uniqueArray(
    fc.tuple(fc.stringMatching(/^[ -~é🧘]{1,20}$/u), responseContent, givenStamps),
    {
      selector: ([id]) => id,
      maxLength: 20,
    },
  );
  const property = fc.asyncProperty(records, async (given) => {
    const shopId = await newShop();
    await importInto(
      shopId,
      ...given.map(([id, content, stamps]) => ({ id, ...content, ...stamps })),
    );
    const stored = new Map(
      (await survey.responses(shopId)).map((record) => [record["id"], record]),
    );
    expect(stored.size).toBe(given.length);
    for (const [id, content, stamps] of given) {
      const record = stored.get(id) ?? {};
      const absent = Object.fromEntries(RESPONSE_FIELDS.map((field) => [field.name, null]));
      const { inserted_at, updated_at } = record;
      expect(record).toEqual({ ...absent, id, ...content, inserted_at, updated_at, ...stamps });
      expect(Object.keys(record)).toEqual(RESPONSE_FIELDS.map((field) => field.name));
    }
  });
  await fc.assert(property, { numRuns: 25 });
});

test("a record's JSON document and its indexed columns have the same values", async () => {
  const shopId = await newShop();
  await importLines(shopId, generateResponses({ count: 500 }));
  await importInto(shopId, answer('a"\\é', "x"), {
    question: "Who?",
    response: "y",
    inserted_at: T1,
  });
  const rows = await survey.sql`
    SELECT doc FROM survey.responses WHERE shop_id = ${shopId} AND NOT (
      doc::jsonb ->> 'id' = id
      AND doc::jsonb ->> 'inserted_at' = survey.timestamp_text(inserted_at)
      AND doc::jsonb ->> 'updated_at' = survey.timestamp_text(updated_at))`;
  expect(rows).toEqual([]);
});

test("importing the same file again changes nothing, regardless of the times in its records", async () => {
  const records = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 20 }), responseContent, givenStamps),
    { maxLength: 20 },
  );
  const property = fc.asyncProperty(records, async (given) => {
    const shopId = await newShop();
    const lines = given.map(([id, content, stamps]) => ({ id: `r${id}`, ...content, ...stamps }));
    const first = await importInto(shopId, ...lines);
    const stored = await survey.responses(shopId);
    const { inserted: unchanged, superseded } = first;
    expect(await importInto(shopId, ...lines)).toEqual({
      ...NOTHING,
      records: lines.length,
      unchanged,
      superseded,
    });
    expect(await survey.responses(shopId)).toEqual(stored);
  });
  await fc.assert(property, { numRuns: 25 });
});

test("an imported record without times gets the current time", async () => {
  const shopId = await newShop();
  const before = Date.now() - 1;
  expect(await importInto(shopId, answer("a", "x"))).toEqual({
    ...NOTHING,
    records: 1,
    inserted: 1,
  });
  const [record] = await survey.responses(shopId);
  expect(Date.parse(String(record?.["inserted_at"]))).toBeGreaterThanOrEqual(before);
  expect(record?.["updated_at"]).toBe(record?.["inserted_at"]);
});

test("an imported record with only inserted_at keeps it, and gets the current time as updated_at", async () => {
  const shopId = await newShop();
  expect(await importInto(shopId, answer("a", "x", { inserted_at: T1 }))).toMatchObject({
    backfilled: 0,
  });
  const [record] = await survey.responses(shopId);
  expect(record?.["inserted_at"]).toBe(T1);
  expect(Date.parse(String(record?.["updated_at"]))).toBeGreaterThan(Date.now() - 60_000);
});

test("a changed record keeps its inserted_at and gets a later updated_at", async () => {
  const shopId = await shopWith(answer("a", "x"), answer("b", "x"));
  const [before] = await survey.responses(shopId);
  expect(await importInto(shopId, answer("a", "y"), answer("b", "x"))).toMatchObject({
    updated: 1,
    unchanged: 1,
  });
  const [after, other] = await survey.responses(shopId);
  expect(after).toMatchObject({ response: "y", inserted_at: before?.["inserted_at"] });
  expect(String(after?.["updated_at"]) > String(before?.["updated_at"])).toBe(true);
  expect(other?.["updated_at"]).toBe(before?.["updated_at"]);
});

const backfilled = (what: object) => ({ ...what, backfilled: 1 });
test.each([
  [null, T1, backfilled({ inserted: 1 }), T1],
  [T1, T2, backfilled({ updated: 1 }), T2],
  [T1, T1, backfilled({ updated: 1 }), T1],
  [T2, T1, { older: 1 }, T2],
])(
  "a record with updated_at %s before an import and %s in the import counts as %j",
  async (before, given, counts, updated_at) => {
    const shopId = await (before
      ? shopWith(answer("a", "old", { updated_at: before }))
      : newShop());
    const result = await importInto(shopId, answer("a", "new", { updated_at: given }));
    expect(result).toEqual({ ...NOTHING, records: 1, ...counts });
    const response = "older" in counts ? "old" : "new";
    expect(await survey.responses(shopId)).toMatchObject([
      { response, inserted_at: before ?? given, updated_at },
    ]);
  },
);

test("if several lines have the same id, only the last line is stored, even across steps of an import", async () => {
  const shopId = await newShop();
  const step = Array.from({ length: IMPORT_STEP }, (_, index) => answer(`r${index}`, "first"));
  const lines = ndjson(...step, answer("r0", "last"));
  const counts = { ...NOTHING, records: lines.length, superseded: 1 };
  let progress: ImportProgress | undefined;
  const onProgress = (heard: ImportProgress) => {
    progress = heard;
  };
  const first = await importResponses(survey.sql, { shopId, lines, onProgress }, TEST_OPERATOR);
  expect(first).toEqual({ ...counts, inserted: step.length });
  expect(progress).toEqual({ phase: "storing", records: step.length, total: step.length });
  expect(await importLines(shopId, lines)).toEqual({ ...counts, unchanged: step.length });
  expect((await survey.responses(shopId))[0]).toMatchObject({ id: "r0", response: "last" });
});

test("each step of an import has a later stamp than the step before", async () => {
  const shopId = await newShop();
  const lines = ndjson(
    ...Array.from({ length: IMPORT_STEP + 1 }, (_, index) => answer(`r${index}`, "x")),
  );
  const heard: string[] = [];
  const onProgress = (progress: ImportProgress) => {
    if (progress.phase === "storing") heard.push(`${progress.records} of ${progress.total}`);
  };
  await importResponses(survey.sql, { shopId, lines, onProgress }, TEST_OPERATOR);
  expect(heard).toEqual([
    `${IMPORT_STEP} of ${IMPORT_STEP + 1}`,
    `${IMPORT_STEP + 1} of ${IMPORT_STEP + 1}`,
  ]);
  const times = new Map(
    (await survey.responses(shopId)).map(({ id, updated_at }) => [id, String(updated_at)]),
  );
  expect(String(times.get(`r${IMPORT_STEP}`)) > String(times.get("r0"))).toBe(true);
  expect(new Set(times.values()).size).toBe(2);
});

test("an import stores no record for an empty file, blank lines or a byte order mark", async () => {
  const shopId = await newShop();
  expect(await importLines(shopId, [])).toEqual({ ...NOTHING, records: 0 });
  const lines = [
    `\uFEFF${JSON.stringify(answer("a", "x"))}\r\n\r\n  \n${JSON.stringify(answer("b", "x"))}`,
  ];
  expect(await importLines(shopId, lines)).toMatchObject({ records: 2, inserted: 2 });
});

async function refused(lines: Parameters<typeof importLines>[1], error: object): Promise<void> {
  const shopId = await shopWith(answer("before", "x"));
  await expect(importLines(shopId, lines)).rejects.toMatchObject(error);
  expect(await survey.responses(shopId)).toMatchObject([{ id: "before" }]);
  expect(await importInto(shopId, answer("after", "x"))).toMatchObject({ inserted: 1 });
}

test("an import with a bad line stores no record, and its error has the line and the field", async () => {
  const good = [...generateResponses({ count: IMPORT_STEP })];
  const bad = '{"question":"a","response":7}\n';
  const line = IMPORT_STEP + 2;
  const message = `line ${line}: response must be a string`;
  const error = { code: "IMPORT_REFUSED", line, field: "response", message };
  await refused([...good, "\n", bad, ...good], error);
});

test("an import whose source fails midway stores no record", async () => {
  const source = Readable.from(
    (async function* () {
      yield* generateResponses({ count: 3000 });
      throw new Error("the disk is gone");
    })(),
  );
  await refused(source, { message: "the disk is gone" });
});

test("an import for a shop that does not exist is refused", async () => {
  await expect(importInto("shop_none", answer("a", "x"))).rejects.toMatchObject({
    code: "UNKNOWN_SHOP",
    message: 'there is no shop "shop_none"',
  });
});
