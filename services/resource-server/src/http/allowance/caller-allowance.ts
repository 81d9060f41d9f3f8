import { setTimeout as sleep } from "node:timers/promises";
import { NOT_ASKED, type NotAsked } from "../../stores/optional-redis.ts";
import { PART_MS, partSize } from "./part-size.ts";
import type { Part, Taken, Wanted } from "./shared-count.ts";
import { Stopwatch } from "./stopwatch.ts";

/** Where a caller stands after a call. */
export interface Count {
  /** Calls of this window; more than the limit: the call is refused. */
  readonly current: number;
  /** Milliseconds to the end of the window. */
  readonly ttl: number;
}

/** What all replicas count together. */
export interface SharedCount {
  readonly window: number;
  readonly max: number;
  newPartId(): string;
  take(caller: string, wanted: Wanted): Promise<Taken | NotAsked>;
  giveBack(caller: string, part: Part): Promise<unknown>;
}

interface WaitingCall {
  resolve(count: Count): void;
  reject(error: unknown): void;
}

/** The other replicas wait so much longer for a part: it takes its holder some time to find that the part has ended. */
const LATE_MS = 500;
/** While a call waits for the parts of other replicas, Redis is asked so often. */
const ASK_AGAIN_MS = 25;

/**
 * One caller's calls at this replica. They are taken from the part that it holds of the caller's allowance. When there is
 * none, Redis is asked: one question at a time, for all calls that wait.
 *
 * A call is refused when nothing is left, and no other replica holds anything unused. It waits while one may. While Redis can't be asked,
 * this replica counts on from what it was told last, and Redis is told of those calls afterwards.
 */
export class CallerAllowance {
  readonly #caller: string;
  readonly #shared: SharedCount;
  readonly #waiting: WaitingCall[] = [];
  /** Since before the last answer was asked for. So what is counted from here ends in Redis later. */
  #asked = new Stopwatch();
  /** Milliseconds that were left of the window then; 0 before the first call. */
  #rest = 0;
  /** Calls of the window that were made or are held, by any replica, as far as Redis has told. */
  #count = 0;
  /** Those among them that other replicas hold. */
  #others = 0;
  /** Calls of the window since then, without Redis. */
  #alone = 0;
  #part: Part | null = null;
  #isUsedUp = false;
  #isAsking = false;
  #callsInWindow = 0;
  #callsSinceAsked = 0;

  constructor(caller: string, shared: SharedCount) {
    this.#caller = caller;
    this.#shared = shared;
  }

  count(): Count | Promise<Count> {
    const passed = this.#asked.passed;
    if (this.#isUsedUp && passed < this.#rest) return this.#refused();
    if (this.#part && this.#part.unused > 0 && !this.#isPartOver(passed)) {
      this.#part.unused--;
      return this.#counted(this.#part.unused);
    }
    const counted = new Promise<Count>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    if (!this.#isAsking) void this.#askForAll();
    return counted;
  }

  /** Gives back a part that has ended or is used up, so that nobody waits for it; or any part, if `all`. */
  async giveBack(all: boolean): Promise<void> {
    const part = this.#part;
    if (!part || this.#isAsking) return;
    if (!all && part.unused > 0 && !this.#isPartOver(this.#asked.passed)) return;
    this.#endPart();
    await this.#shared.giveBack(this.#caller, part);
  }

  /** Whether there is a part, or may be one soon. */
  get isHolding(): boolean {
    return this.#part !== null || this.#isAsking;
  }

  #isPartOver(passed: number): boolean {
    return passed >= Math.min(PART_MS, this.#rest);
  }

  #endPart(): void {
    this.#count -= this.#part?.unused ?? 0;
    this.#part = null;
  }

  async #askForAll(): Promise<void> {
    this.#isAsking = true;
    try {
      while (this.#waiting.length > 0) await this.#ask();
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    }
    this.#isAsking = false;
  }

  async #ask(): Promise<void> {
    const asked = new Stopwatch();
    const passed = this.#asked.passed;
    const id = this.#shared.newPartId();
    const need = this.#waiting.length;
    const former = this.#part;
    this.#endPart();
    if (passed >= this.#rest) this.#beginWindow(asked);
    const more = partSize(this.#callsInWindow, this.#callsSinceAsked, passed);
    this.#callsSinceAsked = 0;
    const { window, max } = this.#shared;
    const known = { used: Math.max(this.#count - this.#others, 0), alone: this.#alone, rest: this.#wait() };
    const wanted = { window, max, need, more, awaited: PART_MS + LATE_MS, id, former, known };
    const taken = await this.#shared.take(this.#caller, wanted);
    if (taken === NOT_ASKED) return this.#answer(need, () => this.#countAlone());
    const { calls, partId, count, others, rest, awaited } = taken;
    this.#asked = asked;
    this.#rest = rest;
    this.#count = count;
    this.#others = others;
    this.#alone = 0;
    let unused = calls;
    this.#answer(calls, () => this.#counted(--unused));
    if (partId !== null) this.#part = { id: partId, unused };
    if (calls >= need) return;
    if (awaited > 0) return await sleep(Math.min(awaited, ASK_AGAIN_MS));
    this.#isUsedUp = true;
    this.#answer(this.#waiting.length, () => this.#refused());
  }

  /** It lasts until Redis tells otherwise. */
  #beginWindow(asked: Stopwatch): void {
    this.#asked = asked;
    this.#rest = this.#shared.window;
    this.#count = 0;
    this.#others = 0;
    this.#alone = 0;
    this.#callsInWindow = 0;
    this.#isUsedUp = false;
  }

  #answer(calls: number, count: () => Count): void {
    for (const { resolve } of this.#waiting.splice(0, calls)) resolve(count());
  }

  #countAlone(): Count {
    if (this.#count + this.#alone >= this.#shared.max) return this.#refused();
    this.#alone++;
    return this.#counted(0);
  }

  #counted(unused: number): Count {
    this.#callsInWindow++;
    this.#callsSinceAsked++;
    return { current: this.#count + this.#alone - unused, ttl: this.#wait() };
  }

  #refused(): Count {
    return { current: this.#shared.max + 1, ttl: this.#wait() };
  }

  /** Milliseconds to the end of the window. */
  #wait(): number {
    return Math.max(Math.ceil(this.#rest - this.#asked.passed), 1);
  }
}
