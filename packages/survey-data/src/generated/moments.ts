import type { Random } from "./random.ts";

/** A time window, milliseconds; `to` is not part of it. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

const DAY = 86_400_000;

/**
 * `count` insertion times, ascending, spread over the window; about one in six shares its millisecond with the one
 * before, as answers to several questions on one page do.
 */
export function* insertionTimes(count: number, window: Window, random: Random): Generator<number> {
  const step = (window.to - window.from) / count;
  let last = window.from;
  for (let index = 0; index < count; index++) {
    if (index === 0 || !random.chance(1 / 6)) {
      last = Math.max(last, window.from + Math.floor((index + random.fraction()) * step));
    }
    yield last;
  }
}

/**
 * When a response that came in at `inserted` was recategorized: one by one within weeks, or together with many others
 * in one of the merchant's monthly clean-ups. Undefined where that would be after the window.
 */
export function recategorizationTime(inserted: number, window: Window, random: Random): number | undefined {
  const cleanup = window.from + Math.ceil((inserted + 1 - window.from) / (30 * DAY)) * 30 * DAY;
  const single = inserted + 1 + random.integer(21 * DAY);
  const time = random.chance(0.5) ? cleanup : single;
  return time < window.to ? time : undefined;
}
