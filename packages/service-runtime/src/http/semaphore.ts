/** A FIFO semaphore with a bounded wait. */
export class Semaphore {
  readonly #permits: number;
  readonly #waitMs: number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;
  #released = 0;

  constructor(permits: number, waitMs: number) {
    this.#permits = permits;
    this.#waitMs = waitMs;
  }

  get taken(): number {
    return this.#taken;
  }

  /** How many permits have been released so far. */
  get released(): number {
    return this.#released;
  }

  /** Resolves to true with a permit, or to false after `waitMs`. */
  async take(): Promise<boolean> {
    if (this.#taken < this.#permits) {
      this.#taken++;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const grant = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    const timer = setTimeout(() => {
      this.#waiting.delete(grant);
      resolve(false);
    }, this.#waitMs);
    this.#waiting.add(grant);
    return await promise;
  }

  release(): void {
    this.#released++;
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      next();
    } else this.#taken--;
  }
}
