/** Bytes that a caller takes of a waiting answer within the limit, if it is not the whole rest of it. */
export const LEAST_TAKEN = 1024 * 1024;

/** How a connection's answers are taken: by the bytes that the kernel has taken in all, and those that wait for it. */
export class Pace {
  /** `taken` at the look since which {@link #looks} is counted. */
  #since = 0;
  #looks = 0;

  /** Counts the looks in a row that found an answer waiting while the caller took less than {@link LEAST_TAKEN} of it. */
  looksWithout(taken: number, waiting: number): number {
    if (waiting === 0 || taken - this.#since >= LEAST_TAKEN) {
      this.#since = taken;
      this.#looks = 0;
    } else this.#looks++;
    return this.#looks;
  }
}
