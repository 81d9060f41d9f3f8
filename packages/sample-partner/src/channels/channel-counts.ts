import type { DatabaseSync } from "node:sqlite";

/** How often each channel was named, over time. */
export interface ChannelCounts {
  readonly question: string;
  /** The most named first; `Everything else` last. */
  readonly channels: readonly string[];
  readonly periods: readonly Period[];
}

export interface Period {
  /** Such as `2026-11`, or `2026-11-21`. */
  readonly name: string;
  readonly counts: readonly number[];
}

const MOST_CHANNELS = 6;
const MOST_DAYS = 45;

const OTHERS = "Everything else";
const DAY_MS = 24 * 60 * 60 * 1000;

/** How often one channel was named on one day. */
interface DailyCount {
  readonly day: string;
  readonly channel: string;
  readonly amount: number;
}

export function channelCounts(question: string, days: readonly DailyCount[]): ChannelCounts {
  const named = mostNamed(days);
  const channels = named.slice(0, MOST_CHANNELS);
  const others = named.length > channels.length ? [OTHERS] : [];
  return {
    question,
    channels: [...channels, ...others],
    periods: periods(days, channels, channels.length + others.length),
  };
}

function mostNamed(days: readonly DailyCount[]): string[] {
  const totals = new Map<string, number>();
  for (const { channel, amount } of days) totals.set(channel, (totals.get(channel) ?? 0) + amount);
  return [...totals]
    .sort(([one, more], [other, less]) => less - more || one.localeCompare(other))
    .map(([channel]) => channel);
}

/** Days, or months where there would be too many of them; also those in which nobody answered. `width`: counts in a period. */
function periods(days: readonly DailyCount[], channels: readonly string[], width: number): Period[] {
  const [first, last] = [days[0]?.day ?? "", days.at(-1)?.day ?? ""];
  const span = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  const nameOf = (day: string) => (span > MOST_DAYS ? day.slice(0, "2026-11".length) : day);
  const counted = new Map<string, number[]>();
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS) {
    const name = nameOf(new Date(at).toISOString().slice(0, "2026-11-21".length));
    if (!counted.has(name)) counted.set(name, new Array(width).fill(0));
  }
  for (const { day, channel, amount } of days) {
    const counts = counted.get(nameOf(day)) ?? [];
    const place = channels.includes(channel) ? channels.indexOf(channel) : width - 1;
    counts[place] = (counts[place] ?? 0) + amount;
  }
  return [...counted].map(([name, counts]) => ({ name, counts }));
}

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
