import type { Clock } from "../clock.ts";
import type { PendingConnection } from "./follow-state.ts";

export interface ConnectionWorkOptions {
  readonly clock: Clock;
  readonly parallel: number;
  readonly signal: AbortSignal;
  /** True: done; false: another connection shall have its turn before this one goes on; a number: try again after these milliseconds. */
  run(connection: PendingConnection, failures: number): Promise<boolean | number>;
  /** `run` threw. */
  failed(error: unknown): void;
  changed?(): void;
}

interface Work {
  shopId: string;
  status: string;
  /** To do, and not begun. */
  readonly kinds: Set<string>;
  running: readonly string[] | null;
  failures: number;
  /** Waits to be tried again; what comes meanwhile ends the wait. */
  isPaused: boolean;
  attempt: number;
}

/** What is to be done, for each connection: some at a time, each by itself, and none waits for one that fails. */
export class ConnectionWork {
  readonly #options: ConnectionWorkOptions;
  readonly #work = new Map<string, Work>();
  readonly #queue: string[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #waiting: (() => void)[] = [];

  constructor(options: ConnectionWorkOptions) {
    this.#options = options;
    options.signal.addEventListener("abort", () => this.#release(), { once: true });
  }

  /** Notes it, without beginning. */
  note({ connection_id, shop_id, status, kinds }: PendingConnection): void {
    let work = this.#work.get(connection_id);
    if (!work) {
      work = { shopId: shop_id, status, kinds: new Set(), running: null, failures: 0, isPaused: true, attempt: 0 };
      this.#work.set(connection_id, work);
    }
    work.status = status;
    for (const kind of kinds) work.kinds.add(kind);
  }

  /** Begins what is noted for it, or tries it again at once. */
  begin(connectionId: string): void {
    const work = this.#work.get(connectionId);
    if (!work?.isPaused || work.running !== null) return;
    work.isPaused = false;
    work.attempt += 1;
    this.#queue.push(connectionId);
    this.#serve();
  }

  pending(): PendingConnection[] {
    return [...this.#work].map(([connection_id, { shopId: shop_id, status, kinds, running }]) => {
      return { connection_id, shop_id, status, kinds: [...new Set([...(running ?? []), ...kinds])].sort() };
    });
  }

  get failing(): number {
    let count = 0;
    for (const { isPaused } of this.#work.values()) if (isPaused) count++;
    return count;
  }

  get inHand(): number {
    return this.#work.size - this.failing;
  }

  /** Whether others would be run if one of those that run stopped. */
  get isWaitedFor(): boolean {
    return this.#queue.length > 0;
  }

  /** Resolves when fewer than `most` are in hand. @throws the signal's reason */
  async below(most: number): Promise<void> {
    while (this.inHand >= most) {
      this.#options.signal.throwIfAborted();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** What is under way has stopped. Nothing new begins once the signal is aborted. */
  async stopped(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #serve(): void {
    const { parallel, signal } = this.#options;
    while (this.#running.size < parallel && !signal.aborted) {
      const connectionId = this.#queue.shift();
      if (connectionId === undefined) return;
      const running = this.#run(connectionId).finally(() => {
        this.#running.delete(running);
        this.#options.changed?.();
        this.#release();
        this.#serve();
      });
      this.#running.add(running);
    }
  }

  async #run(connectionId: string): Promise<void> {
    const work = this.#work.get(connectionId);
    if (!work) return;
    const { shopId: shop_id, status } = work;
    const kinds = [...work.kinds];
    work.running = kinds;
    work.kinds.clear();
    try {
      const outcome = await this.#options.run({ connection_id: connectionId, shop_id, status, kinds }, work.failures);
      const isNews = work.kinds.size > 0;
      if (outcome !== true) for (const kind of kinds) work.kinds.add(kind);
      work.failures = typeof outcome === "number" ? work.failures + 1 : 0;
      work.running = null;
      work.isPaused = true;
      if (work.kinds.size === 0) this.#work.delete(connectionId);
      else if (typeof outcome === "number" && !isNews) void this.#later(connectionId, work, outcome);
      else this.begin(connectionId);
    } catch (error) {
      this.#options.failed(error);
    }
  }

  async #later(connectionId: string, work: Work, ms: number): Promise<void> {
    const { attempt } = work;
    await this.#options.clock.sleep(ms, this.#options.signal).catch(() => {});
    if (work.attempt === attempt && !this.#options.signal.aborted) this.begin(connectionId);
  }
}
