import type { DatabaseSync } from "node:sqlite";
import { type ChannelCounts, channelCounts, type DailyCount } from "./channel-counts.ts";

/** What the chart is made of. */
export class ChannelStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Of the question that was answered most, if it has options to choose from. Null without responses. */
  read(connectionId: string): ChannelCounts | null {
    const asked = this.#database
      .prepare(
        `SELECT question_id, max(record ->> '$.question') AS question FROM responses
         WHERE connection_id = ? AND response IS NOT NULL AND question_id IS NOT NULL
         GROUP BY question_id ORDER BY count(*) DESC, question_id LIMIT 1`,
      )
      .get(connectionId);
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
