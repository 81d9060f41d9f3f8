import { formatTimestamp } from "@partner-connect/contract";
import type { Sql } from "@partner-connect/database";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { onboardShop, TEST_OPERATOR } from "@partner-connect/directory/testing";
import fc from "fast-check";
import { deleteResponses, recategorizeResponses } from "./change-responses.ts";
import { type ImportOptions, importQuestions, importResponses } from "./import/import-records.ts";
import type { Field } from "./record/record-reader.ts";
import { RESPONSE_FIELDS } from "./record/response-record.ts";

/** A database for a file's tests, with helpers to store and read records of shops. */
export async function suiteSurvey() {
  const { url, connect } = await suiteDatabase();
  const sql = connect(url, { name: "survey-data test", connections: 6 });
  const newShop = () => onboardShop(sql);
  const keeper = shopKeeper(sql);
  return {
    ...{ sql, url, connect, newShop, ...keeper },
    async shopWith(...records: readonly object[]): Promise<string> {
      const shopId = await newShop();
      await keeper.importInto(shopId, ...records);
      return shopId;
    },
    /** The responses of a shop as they are served, in the order of their ids. */
    async responses(shopId: string): Promise<Record<string, unknown>[]> {
      const rows = await sql<{ doc: string }[]>`
        SELECT doc FROM survey.responses WHERE shop_id = ${shopId} ORDER BY id`;
      return rows.map((row) => JSON.parse(row.doc));
    },
    /** The shop's records in the audit log, in order. */
    records: (shopId: string) => sql`
      SELECT event, actor, details FROM oauth.audit_log WHERE shop_id = ${shopId} ORDER BY at, id`,
  };
}

/** Imports, recategorizes and deletes shops' responses, as an operator does. */
export function shopKeeper(sql: Sql) {
  const importLines = (shopId: string, lines: ImportOptions["lines"]) =>
    importResponses(sql, { shopId, lines }, TEST_OPERATOR);
  return {
    importLines,
    importInto: (shopId: string, ...records: readonly object[]) =>
      importLines(shopId, ndjson(...records)),
    importQuestions: (shopId: string, lines: ImportOptions["lines"]) =>
      importQuestions(sql, { shopId, lines }, TEST_OPERATOR),
    recategorize: (shopId: string, ids: readonly string[], response: string) =>
      recategorizeResponses(sql, { shopId, ids, response }, TEST_OPERATOR),
    remove: async (shopId: string, ids: readonly string[]) =>
      (await deleteResponses(sql, { shopId, ids }, TEST_OPERATOR)).deleted,
  };
}

export function ndjson(...records: readonly object[]): string[] {
  return records.map((record) => `${JSON.stringify(record)}\n`);
}

export const text = fc.string({ unit: "binary" }).map((value) => value.replaceAll("\0", ""));

const instant = fc.integer({ min: Date.parse("2024-01-01"), max: Date.parse("2024-12-31") });

function value(field: Field): fc.Arbitrary<unknown> {
  switch (field.kind) {
    case "integer":
      return fc.maxSafeInteger().map((integer) => integer + 0);
    case "decimal":
      return fc.stringMatching(/^-?(0|[1-9]\d{0,17})(\.\d{1,8})?$/);
    case "boolean":
      return fc.boolean();
    case "boolean_or_text":
      return fc.oneof(fc.boolean(), text);
    case "timestamp":
      return instant.map(formatTimestamp);
    default:
      return text;
  }
}

const others = RESPONSE_FIELDS.slice(3).map((field) => [field.name, value(field)] as const);

/** Fields of a response without `id` and stamps; only required ones are always present. */
export const responseContent = fc
  .tuple(
    fc.record(Object.fromEntries(others), { requiredKeys: [] }),
    fc.constantFrom("response", "other_response"),
  )
  .map(
    ([fields, answer]) =>
      ({ ...fields, question: "Who?", [answer]: fields[answer] || "x" }) as Record<string, unknown>,
  );

/** The stamps of a source: none, either, or both. */
export const givenStamps = fc
  .tuple(instant, fc.nat(1e9), fc.boolean(), fc.boolean())
  .map(([inserted, later, givesInserted, givesUpdated]) => ({
    ...(givesInserted && { inserted_at: formatTimestamp(inserted) }),
    ...(givesUpdated && { updated_at: formatTimestamp(inserted + later) }),
  }));
