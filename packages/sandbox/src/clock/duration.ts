const UNITS: Readonly<Record<string, number>> = { w: 604_800, d: 86_400, h: 3600, m: 60, s: 1 };
const SHORT = /^(?:(\d{1,9})w)?(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/;
const ISO = /^P(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;

/**
 * Milliseconds of `31d`, `15m` or `1d12h`, or of an ISO 8601 duration such as `P31D` or `PT15M`. Months and years have no one
 * length, so they are none. Null for all else, and for no time at all.
 */
export function parseSpan(text: string): number | null {
  const [found, ...counts] = SHORT.exec(text) ?? ISO.exec(text) ?? [];
  if (found === undefined) return null;
  const seconds = Object.values(UNITS).reduce((sum, unit, index) => sum + unit * Number(counts[index] ?? 0), 0);
  return seconds === 0 ? null : seconds * 1000;
}
