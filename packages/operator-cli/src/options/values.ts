import { UsageError } from "../run/operator-error.ts";

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

/** A commander option that may repeat. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * Seconds of a time such as 90s, 30m, 24h or 7d.
 * @throws {UsageError} when it is none
 */
export function parseDuration(text: string, option: string): number {
  const [, number, unit = ""] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (SECONDS[unit] ?? Number.NaN);
  if (Number.isNaN(seconds))
    throw new UsageError(`${option} ${JSON.stringify(text)} is not a time such as 90s, 30m, 24h or 7d`);
  return seconds;
}
