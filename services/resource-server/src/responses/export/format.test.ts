import { describe, expect, test } from "vitest";
import { chooseExport } from "./format.ts";

const NDJSON = "application/x-ndjson; charset=utf-8";
const CSV = "text/csv; charset=utf-8; header=present";

describe("Accept", () => {
  test.each([
    ["application/x-ndjson", NDJSON],
    ["text/csv", CSV],
    ["Text/CSV", CSV],
    ["application/x-ndjson; charset=utf-8", NDJSON],
    ["text/csv;charset=UTF-8;header=present;q=0.3", CSV],
    ["application/json;q=0.9, text/csv", CSV],
    ["text/csv;q=0.5, application/x-ndjson", NDJSON],
    ["application/x-ndjson, */*", NDJSON],
    ["application/vnd.apache.parquet", "application/vnd.apache.parquet"],
    ["application/vnd.api+json, text/csv", CSV],
    // Where the weights are equal: what is named first.
    ["application/x-ndjson, application/json", NDJSON],
    ["text/csv, application/x-ndjson", CSV],
  ])("%j asks for an export as %s", (accept, type) => {
    expect(chooseExport(accept)?.type).toBe(type);
  });

  test.each([
    undefined,
    "",
    "x",
    "*/*",
    "application/*",
    "application/json",
    "text/html,*/*;q=0.8",
    // Not by name.
    "text/*",
    "application/json, application/x-ndjson",
    "application/x-ndjson;q=0.5, application/json",
    "application/x-ndjson;q=0.5, */*",
    "application/x-ndjson;q=0, */*",
    "text/csv;q=0",
    // Not the CSV that we write: it has a header line.
    "text/csv; header=absent",
    ',;="\\ text/csv',
  ])("%j asks for a page of JSON", (accept) => {
    expect(chooseExport(accept)).toBeNull();
  });
});
