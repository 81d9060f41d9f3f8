import type { Locale } from "../merchant-page/texts/locale.ts";

const UNITS = [
  ["day", 24 * 60 * 60],
  ["hour", 60 * 60],
  ["minute", 60],
  ["second", 1],
] as const;

/** A time span as the reader writes it, in the largest unit that says it exactly: '30 days', '36 hours'. */
export function duration(seconds: number, locale: Locale): string {
  const [unit, length] = UNITS.find(([, size]) => seconds % size === 0) ?? ["second", 1];
  return new Intl.NumberFormat(locale.tag, { style: "unit", unit, unitDisplay: "long" }).format(seconds / length);
}
