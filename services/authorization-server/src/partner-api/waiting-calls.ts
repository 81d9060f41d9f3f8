/** Of one client on one replica. A partner needs one for each of its processes. */
const MOST_OF_A_CLIENT = 100;

/** The calls that wait, by client, the oldest first. */
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

  /** Waits as `wait` does, until its signal ends it: when `call` is aborted, or when one too many of the client's calls wait and this is the oldest. */
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
