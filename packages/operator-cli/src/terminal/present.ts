let ahead = 0;

/** The time of the system that the commands work on: this machine's, or that of a sandbox, whose clock is moved. */
export function present(): Date {
  return new Date(Date.now() + ahead);
}

/** Without `now` it is this machine's. */
export function setPresent(now?: Date): void {
  ahead = now ? now.getTime() - Date.now() : 0;
}

/** Seconds by which a clock that said `theirs`, `resolution` ms ago at most, between question and answer, is ahead of ours at least. */
export function secondsAhead(theirs: number, asked: number, answered: number, resolution = 0): number {
  if (theirs > answered) return (theirs - answered) / 1000;
  if (theirs + resolution < asked) return (theirs + resolution - asked) / 1000;
  return 0;
}

const UNITS = [
  [60, "s"],
  [60, "min"],
  [24, "h"],
  [30, "d"],
  [12.17, "mo"],
  [Number.POSITIVE_INFINITY, "y"],
] as const;

/** '5 min ago', 'in 3 d', 'just now' */
export function relativeTime(time: Date, now = present()): string {
  const seconds = (now.getTime() - time.getTime()) / 1000;
  if (Math.abs(seconds) < 5) return "just now";
  let amount = Math.abs(seconds);
  for (const [size, unit] of UNITS) {
    if (amount < size) return seconds > 0 ? `${Math.floor(amount)} ${unit} ago` : `in ${Math.round(amount)} ${unit}`;
    amount /= size;
  }
  return time.toISOString();
}
