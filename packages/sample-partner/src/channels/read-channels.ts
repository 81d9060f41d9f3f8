import type { DatabaseSync } from "node:sqlite";
import { type ChannelCounts, channelCounts, type DailyCount } from "./channel-counts.ts";

/** Of the questions with options to choose from, the one that was answered most; null without responses. Index: responses_by_question. */
export function readChannels(database: DatabaseSync, connectionId: string): ChannelCounts | null {
  const asked = database
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
  const days = database
    .prepare(
      `SELECT substr(inserted_at, 1, 10) AS day, response AS channel, count(*) AS amount FROM responses
       WHERE connection_id = ? AND question_id = ? AND response IS NOT NULL GROUP BY day, channel ORDER BY day`,
    )
    .all(connectionId, asked["question_id"] ?? null) as unknown as DailyCount[];
  return channelCounts(String(asked["question"]), days);
}
