import fc from "fast-check";
import { expect, test } from "vitest";
import { readQuestion } from "./question-record.ts";
import { doubledKey } from "./record-reader.ts";
import { readResponse } from "./response-record.ts";

const find = (text: string) => doubledKey(text, JSON.parse(text));

test.each([
  ['{"a":1,"a":1}', "a"],
  ['{ "a" : 1 ,\t"b": {"a": 2}, "a" : 3}', "a"],
  ['{"a":{"b":1,"c":2,"b":3}}', "b"],
  ['{"a":[{"x":1},{"x":1,"x":2}]}', "x"],
  ['{"a":{"x":1},"a":{"x":1}}', "a"],
  ['{"\\u0061":1,"a":2}', "a"],
  ['{"":1,"":2}', ""],
  ['{"__proto__":1,"__proto__":2}', "__proto__"],
  ['{"a\\"":1,"a\\"":2}', 'a"'],
  ['{"a\\\\":1,"a\\\\":2}', "a\\"],
])("%s has %j twice", (text, key) => {
  expect(find(text)).toBe(key);
});

test.each([
  '{"a":1,"A":1,"á":1}',
  '{"a":"\\"a\\":1","b":"{\\"a\\":1,\\"a\\":2}"}',
  '{"a":"b","b":"a"}',
  '{"a":"x\\\\","b":":"}',
  '{"a":[{"a":1},{"a":1}],"b":{"a":1}}',
  '{"a":["b","b",":"]}',
  "[]",
  '"a"',
])("%s has none twice", (text) => {
  expect(find(text)).toBeUndefined();
});

test("no JSON text that a program wrote has any, and each member of it is noticed once more", () => {
  const object = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue(), { minKeys: 1, noNullPrototype: false });
  const property = fc.property(object, fc.nat(), fc.boolean(), (value, index, isSpaced) => {
    const text = JSON.stringify(value, null, isSpaced ? 1 : 0);
    expect(find(text)).toBeUndefined();
    const keys = Object.keys(value);
    const key = keys[index % keys.length] ?? "";
    expect(find(`{${JSON.stringify(key)} :null,${text.slice(1)}`)).toBe(key);
  });
  fc.assert(property);
});

test("a line of an import with a name twice is refused, at any depth", () => {
  const response = '{"id":"a","question":"Who?","response":"TV","response":"Radio"}';
  expect(() => readResponse(response, Date.now())).toThrow('"response" is there twice');
  const question = '{"id":1,"prompt":"Who?","responses":[{"id":1,"value":"TV","value":"Radio"}]}';
  expect(() => readQuestion(question, Date.now())).toThrow('"value" is there twice');
});
