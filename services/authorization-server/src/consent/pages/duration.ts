const UNITS = [
  ["day", 24 * 60 * 60],
  ["hour", 60 * 60],
  ["minute", 60],
  ["second", 1],
] as const;

/** A time span as readers of this language (BCP 47) write it, in the largest unit that says it exactly: '30 days', '36 hours'. */
export function duration(seconds: number, tag: string): string {
  const [unit, length] = UNITS.find(([, size]) => seconds % size === 0) ?? ["second", 1];
  return new Intl.NumberFormat(tag, { style: "unit", unit, unitDisplay: "long" }).format(seconds / length);
}
