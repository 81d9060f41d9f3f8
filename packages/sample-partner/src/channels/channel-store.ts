import type { DatabaseSync } from "node:sqlite";
import { type ChannelCounts, channelCounts, type DailyCount } from "./channel-counts.ts";

/** What the chart is made of. */
export class ChannelStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * Of the question that was answered most, of those with options to choose from. Null without responses.
   * Index: responses_by_question.
   */
  read(connectionId: string): ChannelCounts | null {
    const asked = this.#database
      .prepare(
        `WITH asked AS (
           SELECT question_id FROM responses
           WHERE connection_id = ? AND question_id IS NOT NULL AND response IS NOT NULL
           GROUP BY question_id ORDER BY count(*) DESC, question_id LIMIT 1)
         SELECT question_id, record ->> '$.question' AS question FROM responses JOIN asked USING (question_id)
         WHERE connection_id = ? ORDER BY inserted_at DESC LIMIT 1`,
      )
      .get(connectionId, connectionId);
    if (!asked) return null;
    const days = this.#database
      .prepare(
        `SELECT substr(inserted_at, 1, 10) AS day, response AS channel, count(*) AS amount FROM responses
         WHERE connection_id = ? AND question_id = ? AND response IS NOT NULL GROUP BY day, channel ORDER BY day`,
      )
      .all(connectionId, asked["question_id"] ?? null) as unknown as DailyCount[];
    return channelCounts(String(asked["question"]), days);
  }
}
