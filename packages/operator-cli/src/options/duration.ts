import { UsageError } from "../run/operator-error.ts";

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Seconds of a time such as 90s, 30m, 24h or 7d. */
export function parseDuration(text: string, option: string): number {
  const [, number, unit = ""] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (SECONDS[unit] ?? Number.NaN);
  if (Number.isNaN(seconds))
    throw new UsageError(`${option} ${JSON.stringify(text)} is not a time such as 90s, 30m, 24h or 7d`);
  return seconds;
}
