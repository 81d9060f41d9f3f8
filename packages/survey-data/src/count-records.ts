import type { Sql } from "@partner-connect/database";

export interface RecordCounts {
  readonly responses: number;
  readonly questions: number;
  readonly sources: number;
  /** The newest `updated_at` of a response; null without responses. */
  readonly updatedAt: Date | null;
}

/**
 * Counts a shop's records exactly. Indexes: responses_pkey, responses_changed_by_updated_at,
 * responses_unchanged.
 */
export async function countRecords(sql: Sql, shopId: string): Promise<RecordCounts> {
  const [row] = await sql<RecordCounts[]>`
    SELECT (SELECT count(*)::float8 FROM survey.responses WHERE shop_id = ${shopId}) AS responses,
      (SELECT count(*)::float8 FROM survey.questions WHERE shop_id = ${shopId}) AS questions,
      (SELECT count(*)::float8 FROM survey.sources WHERE shop_id = ${shopId}) AS sources,
      greatest(
        (SELECT max(updated_at) FROM survey.responses WHERE shop_id = ${shopId} AND updated_at > inserted_at),
        (SELECT max(inserted_at) FROM survey.responses WHERE shop_id = ${shopId} AND updated_at = inserted_at)) AS "updatedAt"`;
  return row as RecordCounts;
}
