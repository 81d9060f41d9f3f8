import { Option } from "@commander-js/extra-typings";
import { parseDateTime } from "@partner-connect/contract";
import { UsageError } from "./errors.ts";

/** A parser of whole numbers from `min` to `max` for a commander option. It throws {UsageError}. */
export function wholeNumberParser(option: string, { min, max }: { min: number; max: number }) {
  return (text: string) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new UsageError(
      `${option} ${JSON.stringify(text)} is not a whole number from ${min} to ${max}`,
    );
  };
}

/** A parser of a commander option that may repeat; each value is one or more words. */
export function collectWords(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), ...value.split(" ").filter((word) => word !== "")];
}

export function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** A parser of seconds, given as 90s, 30m, 24h or 7d. It throws {UsageError}. */
export function durationParser(option: string): (text: string) => number {
  return (text: string) => {
    const [, number, unit = ""] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
    const seconds = Number(number) * (SECONDS[unit] ?? Number.NaN);
    if (!Number.isNaN(seconds)) return seconds;
    throw new UsageError(
      `${option} ${JSON.stringify(text)} is not a time such as 90s, 30m, 24h or 7d`,
    );
  };
}

const MAX_OVERLAP_SECONDS = 30 * 24 * 3600;

/** Parses how long, in seconds, a rotated secret still works. @throws {UsageError} */
function parseOverlap(text: string): number {
  const seconds = durationParser("--overlap")(text);
  if (seconds > MAX_OVERLAP_SECONDS)
    throw new UsageError("the overlap must be 0 seconds to 30 days");
  return seconds;
}

export const OVERLAP = new Option(
  "--overlap <time>",
  "how long the former secret still works: 90s, 30m, 24h, up to 30d",
)
  .argParser(parseOverlap)
  .default(24 * 3600, "24h");
export const NOW = new Option(
  "--now",
  "end every former secret at once, for example after a leak",
).conflicts("overlap");

export const TIME = "2h or 3d ago, 2026-11-22 (UTC), or RFC 3339";

/** A parser of past times, whose forms {@link TIME} lists. It throws {UsageError}. */
export function pastTimeParser(option: string): (text: string) => Date {
  return (text: string) => {
    if (/^\d+[smhd]$/.test(text)) return new Date(Date.now() - durationParser(option)(text) * 1000);
    const time = parseDateTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
    const given = `${option} ${JSON.stringify(text)}`;
    if (!time)
      throw new UsageError(
        `${given} is not a time such as 2h, 3d, 2026-11-22 or 2026-11-22T09:00:00Z`,
      );
    if (time.milliseconds > Date.now()) throw new UsageError(`${given} is in the future`);
    return new Date(time.milliseconds);
  };
}
