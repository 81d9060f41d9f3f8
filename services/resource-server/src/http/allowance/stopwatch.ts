/**
 * Milliseconds since it was made, by the clock that has gone on further. The wall clock alone may be set back, and would make a minute last
 * for an hour. A sandbox moves no other.
 */
export class Stopwatch {
  readonly #wall = Date.now();
  readonly #monotonic = performance.now();

  get passed(): number {
    return Math.max(Date.now() - this.#wall, performance.now() - this.#monotonic);
  }
}
