import { RESPONSE_FIELDS } from "@partner-connect/survey-data";
import { expect, test } from "vitest";
import { CSV_HEADER, csvPieces } from "./csv.ts";

const csvLines = (records: readonly object[]): string =>
  [...csvPieces(Buffer.from(records.map((record) => JSON.stringify(record)).join(",\n")))].join("");

/** The line of a record that has nothing but these fields. */
const lineOf = (values: Readonly<Record<string, string>>): string =>
  `${RESPONSE_FIELDS.map(({ name }) => values[name] ?? "").join(",")}\r\n`;

test("the header line names every field, in the order of the record", () => {
  expect(CSV_HEADER).toBe(`${RESPONSE_FIELDS.map(({ name }) => name).join(",")}\r\n`);
});

test("a record is a line of its own; null and what is absent are empty", () => {
  const records = [
    { id: "a", question_id: 7, other: true, order_total: "12.50", email: null },
    { id: "b", response: "", other: false, submit_delta: -3 },
  ];
  expect(csvLines(records)).toBe(
    lineOf({ id: "a", question_id: "7", other: "true", order_total: "12.50" }) +
      lineOf({ id: "b", other: "false", submit_delta: "-3" }),
  );
  expect(csvLines([])).toBe("");
});

test("many records come in pieces, and every record once", () => {
  const ids = Array.from({ length: 1001 }, (_, i) => `r${i}`);
  expect(csvLines(ids.map((id) => ({ id })))).toBe(ids.map((id) => lineOf({ id })).join(""));
});

test.each([
  ["plain text", "plain text"],
  [" 'apostrophes' and blanks ", " 'apostrophes' and blanks "],
  ["a,b", '"a,b"'],
  ['Said "hi"', '"Said ""hi"""'],
  ["two\nlines", '"two\nlines"'],
  ["two\rlines", '"two\rlines"'],
  ["two\r\nlines", '"two\r\nlines"'],
  ["é€🎩", "é€🎩"],
  // What a spreadsheet would run.
  ["=1+1", `"'=1+1"`],
  ["+49 170", `"'+49 170"`],
  ["-5", `"'-5"`],
  ["-", `"'-"`],
  ["@SUM(A1)", `"'@SUM(A1)"`],
  ["\tx", `"'\tx"`],
  ["\rx", `"'\rx"`],
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ["'=1", "'=1"],
  ["a=b", "a=b"],
])("the text %j is written %s", (text, cell) => {
  expect(csvLines([{ id: "a", response: text }])).toBe(lineOf({ id: "a", response: cell }));
});

test.each([
  ["-12.50", "-12.50"],
  ["-12", "-12"],
  ["12.5", "12.5"],
  ["-1+1", `"'-1+1"`],
  ["=1", `"'=1"`],
])("the amount %j is written %s", (amount, cell) => {
  expect(csvLines([{ id: "a", order_total: amount }])).toBe(lineOf({ id: "a", order_total: cell }));
});
