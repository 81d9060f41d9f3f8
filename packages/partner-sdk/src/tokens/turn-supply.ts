const MINUTE_MS = 60_000;

/** When the next calls may be made, under a limit of calls a minute. */
export class TurnSupply {
  readonly #perMinute: number;
  readonly #taken = new Map<object, number>();
  #pausedUntil = 0;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** When the call may start that has `before` others before it. */
  startOf(before: number, now: number): number {
    for (const [turn, back] of this.#taken) {
      if (back <= now) this.#taken.delete(turn);
      // The clock was set back: nothing is taken for longer than a minute.
      else if (back > now + MINUTE_MS) this.#taken.set(turn, now + MINUTE_MS);
    }
    // The others take all that is free at the pause's end, and a minute later the same again.
    const back = [...this.#taken.values()].map((time) => Math.max(time, this.#pausedUntil)).sort((a, b) => a - b);
    const free = this.#perMinute - back.length;
    const first = Math.max(now, this.#pausedUntil);
    const slots = [...Array.from({ length: Math.max(0, free) }, () => first), ...back];
    return (slots[before % slots.length] ?? first) + Math.floor(before / slots.length) * MINUTE_MS;
  }

  /** Takes a turn. The server counts the call at a moment between its start and its end: it comes back a minute after the end. */
  take(now: number): { ended(now: number): void } {
    const turn = {};
    this.#taken.set(turn, now + MINUTE_MS);
    return { ended: (end) => void this.#taken.set(turn, end + MINUTE_MS) };
  }

  /** Which part of a minute's turns is taken: 0 to 1. */
  taken(now: number): number {
    let count = 0;
    for (const back of this.#taken.values()) if (back > now) count++;
    return count / this.#perMinute;
  }

  pauseUntil(time: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, time);
  }
}
