import { parseDateTime } from "@partner-connect/contract";
import { UsageError } from "../run/context.ts";

/** @throws {UsageError} when `text` is not a whole number from `min` to `max` */
export function wholeNumber(text: string, option: string, { min, max }: { min: number; max: number }): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(`${option} ${JSON.stringify(text)} is not a whole number from ${min} to ${max}`);
}

/** A commander option that may repeat, and whose value may be several, separated by spaces. */
export function collectWords(value: string, previous: readonly string[] = []): string[] {
  return [...previous, ...value.split(" ").filter((word) => word !== "")];
}

export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Seconds of a time such as 90s, 30m, 24h or 7d. @throws {UsageError} when it is none */
export function parseDuration(text: string, option: string): number {
  const [, number, unit = ""] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (SECONDS[unit] ?? Number.NaN);
  if (Number.isNaN(seconds))
    throw new UsageError(`${option} ${JSON.stringify(text)} is not a time such as 90s, 30m, 24h or 7d`);
  return seconds;
}

const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;

/**
 * `2h` ago, `09:00`, the day `2026-11-22`, by the operator's clock, or RFC 3339. @throws {UsageError} if it is no time, or in the
 * future
 */
export function parseSince(text: string, now: Date = new Date(), option = "--since"): Date {
  const since = instantOf(text.trim(), now, option);
  if (since > now) throw new UsageError(`${option} ${JSON.stringify(text)} is in the future`);
  return since;
}

function instantOf(text: string, now: Date, option: string): Date {
  if (/^\d+[smhd]$/.test(text)) return new Date(now.getTime() - parseDuration(text, option) * 1000);
  const [isTime, hours, minutes, seconds = 0] = TIME_OF_DAY.exec(text) ?? [];
  if (isTime !== undefined) {
    const at = new Date(now);
    at.setHours(Number(hours), Number(minutes), Number(seconds), 0);
    if (at > now) at.setDate(at.getDate() - 1);
    return at;
  }
  const [isDay, year, month, day] = DAY.exec(text)?.map(Number) ?? [];
  if (isDay !== undefined && parseDateTime(`${text}T00:00:00Z`)) {
    return new Date(Number(year), Number(month) - 1, Number(day));
  }
  const exact = parseDateTime(text);
  if (exact) return new Date(exact.milliseconds);
  throw new UsageError(
    `${option} ${JSON.stringify(text)} is not a time such as 2h, 3d, 09:00, 2026-11-22 or 2026-11-22T09:00:00Z`,
  );
}
