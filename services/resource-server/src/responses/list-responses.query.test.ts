import { expect, test } from "vitest";
import type { Caller } from "../authentication/caller.ts";
import type { Cursor } from "../pagination/page-parameters.ts";
import { listResponsesSql } from "./list-responses.query.ts";

const CALLER: Caller = {
  kind: "connection",
  id: "connection",
  shopId: "shop",
  clientId: "client",
  generation: 0,
  scope: [],
};
const AT = Date.parse("2026-01-18T19:27:05.104Z");
const SINCE = { min: AT, max: null };
const NONE = { min: null, max: null };
const ranges = { inserted_at: NONE, updated_at: NONE };
const cursor: Cursor = { name: "starting_after", side: "after", id: "a" };

test.each([
  ["first-page", {}],
  ["cursor-with-time", { cursor: { ...cursor, time: AT } }],
  ["cursor-by-id", { cursor, sort: "updated_at_asc", ranges: { ...ranges, inserted_at: SINCE } }],
  ["filtered-by-the-other-time", { ranges: { ...ranges, updated_at: { min: AT, max: AT } } }],
  ["large-page", { mostBytes: 16 * 1024 * 1024 }],
])("the SQL of the list of responses equals the snapshot %s", async (shape, asked) => {
  const parameters = { limit: 50, sort: "inserted_at_desc", cursor: null, ranges, given: [] };
  const { text } = listResponsesSql(CALLER, { ...parameters, ...asked } as never);
  await expect(`${text}\n`).toMatchFileSnapshot(`statements/${shape}.sql`);
});
