/** Per client and replica. A partner needs one call per process. */
const MOST_OF_A_CLIENT = 100;

/** Waiting calls by client, oldest first. */
export class WaitingCalls {
  readonly #ofClient = new Map<string, Set<AbortController>>();
  readonly #most: number;

  constructor(most: number = MOST_OF_A_CLIENT) {
    this.#most = most;
  }

  get count(): number {
    let count = 0;
    for (const calls of this.#ofClient.values()) count += calls.size;
    return count;
  }

  /** Runs `wait` until its signal aborts: when `call` is aborted, or when the client exceeds its limit and this is its oldest call. */
  async during(clientId: string, call: AbortController, wait: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const calls = this.#ofClient.get(clientId) ?? new Set();
    this.#ofClient.set(clientId, calls.add(call));
    const [oldest] = calls;
    if (calls.size > this.#most) oldest?.abort();
    try {
      await wait(call.signal);
    } finally {
      calls.delete(call);
      if (calls.size === 0 && this.#ofClient.get(clientId) === calls) this.#ofClient.delete(clientId);
    }
  }
}
