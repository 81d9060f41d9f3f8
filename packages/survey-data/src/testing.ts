import type { Sql } from "@partner-connect/database";
import { type SuiteDatabase, suiteDatabase } from "@partner-connect/database/testing/suite";
import { onboardShop } from "@partner-connect/directory/testing";

export interface TestSurvey extends Pick<SuiteDatabase, "url" | "connect"> {
  readonly sql: Sql;
  /** A new shop without data. */
  readonly newShop: () => Promise<string>;
  /** The records of a shop as they are served, in the order of their ids. */
  readonly responses: (shopId: string) => Promise<Record<string, unknown>[]>;
  /** The shop's records in the audit log, in order. */
  readonly records: (shopId: string) => Promise<{ event: string; actor: string; details: object }[]>;
}

/** Creates a database for the tests of a file, with a connection as the owner and helpers to store and read records of shops. */
export async function suiteSurvey(): Promise<TestSurvey> {
  const { url, connect } = await suiteDatabase();
  const sql = connect(url, { name: "survey-data test", connections: 6 });
  return {
    ...{ sql, url, connect },
    newShop: () => onboardShop(sql),
    responses: async (shopId) => {
      const rows = await sql<{ doc: string }[]>`SELECT doc FROM survey.responses WHERE shop_id = ${shopId} ORDER BY id`;
      return rows.map((row) => JSON.parse(row.doc));
    },
    records: (shopId) => sql`
      SELECT event, actor, details FROM oauth.audit_log WHERE shop_id = ${shopId} ORDER BY at, id`,
  };
}

/** Import lines of these records. */
export function ndjson(...records: readonly object[]): string[] {
  return records.map((record) => `${JSON.stringify(record)}\n`);
}
