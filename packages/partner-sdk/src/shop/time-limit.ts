/** After so long without a byte, a call is given up and made again. */
const SILENCE_MS = 60_000;

/** Ends one call when nothing comes for too long, or when the caller's own signal says so. */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #stop = (): void => this.#controller.abort(this.#outer?.reason);

  constructor(outer: AbortSignal | undefined) {
    this.#outer = outer;
    outer?.throwIfAborted();
    outer?.addEventListener("abort", this.#stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Waits for the next thing of the call: its answer, or its body. */
  async within<T>(work: Promise<T>): Promise<T> {
    const error = new Error(`nothing came for ${SILENCE_MS / 1000} s`);
    const timer = setTimeout(() => this.#controller.abort(error), SILENCE_MS);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Gives up what is still under way. */
  end(): void {
    this.#outer?.removeEventListener("abort", this.#stop);
    this.#controller.abort(new Error("the call was ended"));
  }
}
