import { expect, test } from "vitest";
import { QUESTION_FIELDS, readProductQuestion, readQuestion } from "./question-record.ts";
import { NO_TIMES } from "./record-reader.ts";

const NOW = Date.parse("2026-11-21T00:00:00Z");
const MINIMAL = { id: 7, prompt: "Which podcast?" };

function read(record: object) {
  return readQuestion(JSON.stringify(record), NOW);
}

test("a question is stored with every field in the served order, and null for absent fields", () => {
  const { doc, ...others } = read({ ...MINIMAL, responses: [{ value: "Slow Mornings", id: 1 }] });
  const none = { insertedAt: null, updatedAt: null, version: null, isIncomplete: false };
  expect(others).toEqual({ id: "7", ...none });
  expect(Object.keys(JSON.parse(doc))).toEqual(QUESTION_FIELDS.map((field) => field.name));
  expect(JSON.parse(doc)).toMatchObject({ ...MINIMAL, type: null });
  expect(doc).toContain(
    `${NO_TIMES},"responses":[{"id":1,"value":"Slow Mornings","clarification_question":null}]}`,
  );
});

test("a question without options is stored with an empty list of responses", () => {
  expect(read(MINIMAL).doc).toMatch(/,"responses":\[\]\}$/);
});

test("a question's published_at may be in the future", () => {
  expect(() => read({ ...MINIMAL, published_at: "2027-01-01T00:00:00Z" })).not.toThrow();
});

const REFUSED: [fields: object, message: string][] = [
  [{ id: undefined }, "id is required"],
  [{ id: "7" }, "id must be an integer"],
  [{ prompt: undefined }, "prompt is required"],
  [{ type: "radio" }, "type must be one of single_response, multi_response, open_ended"],
  [{ customer_type: "vip" }, "customer_type must be one of everyone, new, returning"],
  [{ frequency_type: "often" }, "frequency_type must be one of always, once"],
  [{ question: "x" }, '"question" is not a field of this record'],
  [{ responses: {} }, "responses must be a list"],
  [{ responses: ["x"] }, "responses[0] must be an object"],
  [{ responses: [{ value: "a" }, { id: 1 }] }, "responses[1].value is required"],
  [{ responses: [{ value: "a", label: 1 }] }, 'responses[0]."label" is not a field'],
  [{ responses: [{ value: 1 }] }, "responses[0].value must be a string"],
  [
    { responses: [{ value: "a", clarification_question: 1 }] },
    "responses[0].clarification_question must be a string",
  ],
];
test("a question that breaks a rule is refused with the name of the field", () => {
  for (const [fields, message] of REFUSED)
    expect(() => read({ ...MINIMAL, ...fields }), JSON.stringify(fields)).toThrow(message);
});

test("an unknown field is reported by its path and the first 64 characters of its name", () => {
  const name = "x".repeat(64);
  expect(() => read({ ...MINIMAL, responses: [{ value: "a", [`${name}y`]: 1 }] })).toThrow(
    expect.objectContaining({ field: `responses[0].${name}` }),
  );
});

test("a question from the survey product is refused with a too long text, a version or updated_at", () => {
  const product = (record: object) => readProductQuestion(JSON.stringify(record), NOW);
  const option = { id: 1, value: "é".repeat(512), clarification_question: true };
  const longest = { ...MINIMAL, prompt: "é".repeat(2048), responses: [option] };
  expect(JSON.parse(product({ ...longest, inserted_at: "2026-11-21T00:00:01Z" }).doc)).toEqual({
    ...JSON.parse(read(MINIMAL).doc),
    ...longest,
  });
  for (const [more, message] of [
    [{ id: null }, "id is required"],
    [{ prompt: `${longest.prompt}!` }, "prompt is longer than 4 KB"],
    [{ responses: [{ value: `${option.value}!` }] }, "responses[0].value is longer than 1 KB"],
    [{ version: 1 }, '"version" is not a field'],
    [{ updated_at: null }, "updated_at is the time at which"],
  ] as const)
    expect(() => product({ ...longest, ...more }), message).toThrow(message);
});
