const UNITS = [
  [60, "s"],
  [60, "min"],
  [24, "h"],
  [30, "d"],
  [12.17, "mo"],
  [Number.POSITIVE_INFINITY, "y"],
] as const;

/** '5 min ago', 'in 3 d', 'just now' */
export function relativeTime(time: Date, now = new Date()): string {
  const seconds = (now.getTime() - time.getTime()) / 1000;
  if (Math.abs(seconds) < 5) return "just now";
  let amount = Math.abs(seconds);
  for (const [size, unit] of UNITS) {
    if (amount < size) return seconds > 0 ? `${Math.floor(amount)} ${unit} ago` : `in ${Math.round(amount)} ${unit}`;
    amount /= size;
  }
  return time.toISOString();
}
