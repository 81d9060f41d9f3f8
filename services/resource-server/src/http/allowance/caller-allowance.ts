import { setTimeout as sleep } from "node:timers/promises";
import { NOT_ASKED, type NotAsked } from "../../stores/optional-redis.ts";
import { PART_MS, partSize } from "./part-size.ts";
import type { Part, Taken, Wanted } from "./shared-count.ts";

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
  /** Counts a call that Redis could not be asked about. */
  countAlone(caller: string): Count;
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
 * A call is refused when nothing is left, and no other replica holds anything unused. It waits while one may.
 */
export class CallerAllowance {
  readonly #caller: string;
  readonly #shared: SharedCount;
  readonly #waiting: WaitingCall[] = [];
  #part: Part | null = null;
  #partEnds = 0;
  #left = 0;
  #windowEnds = 0;
  #refusedUntil = 0;
  #isAsking = false;
  #callsInWindow = 0;
  #callsSinceAsked = 0;
  #askedAt = 0;

  constructor(caller: string, shared: SharedCount) {
    this.#caller = caller;
    this.#shared = shared;
  }

  count(): Count | Promise<Count> {
    const now = Date.now();
    if (now < this.#refusedUntil) return this.#refused(now);
    if (this.#part && this.#part.unused > 0 && now < this.#partEnds) {
      this.#part.unused--;
      return this.#counted(now, this.#part.unused);
    }
    const counted = new Promise<Count>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    if (!this.#isAsking) void this.#askForAll();
    return counted;
  }

  /** Gives back a part that has ended or is used up, so that nobody waits for it; or any part, if `all`. */
  async giveBack(all: boolean): Promise<void> {
    const part = this.#part;
    if (!part || this.#isAsking) return;
    if (!all && part.unused > 0 && Date.now() < this.#partEnds) return;
    this.#part = null;
    await this.#shared.giveBack(this.#caller, part);
  }

  /** Whether there is a part, or may be one soon. */
  get isHolding(): boolean {
    return this.#part !== null || this.#isAsking;
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
    const askedAt = Date.now();
    if (askedAt >= this.#windowEnds) this.#callsInWindow = 0;
    const id = this.#shared.newPartId();
    const need = this.#waiting.length;
    const more = partSize(this.#callsInWindow, this.#callsSinceAsked, askedAt - this.#askedAt);
    const { window, max } = this.#shared;
    const former = this.#part;
    this.#part = null;
    this.#askedAt = askedAt;
    this.#callsSinceAsked = 0;
    const wanted = { window, max, need, more, awaited: PART_MS + LATE_MS, id, former };
    const taken = await this.#shared.take(this.#caller, wanted);
    if (taken === NOT_ASKED) return this.#answer(need, () => this.#shared.countAlone(this.#caller));
    const { calls, held, left, rest, awaited } = taken;
    const now = Date.now();
    this.#left = left;
    this.#windowEnds = now + rest;
    let unused = calls;
    this.#answer(calls, () => this.#counted(now, --unused));
    if (held > 0) this.#part = { id, unused };
    // Counted from before Redis was asked: in Redis it ends later.
    this.#partEnds = askedAt + Math.min(PART_MS, rest);
    if (calls >= need) return;
    if (awaited > 0) return await sleep(Math.min(awaited, ASK_AGAIN_MS));
    this.#refusedUntil = this.#windowEnds;
    this.#answer(this.#waiting.length, () => this.#refused(now));
  }

  #answer(calls: number, count: () => Count): void {
    for (const { resolve } of this.#waiting.splice(0, calls)) resolve(count());
  }

  #counted(now: number, unused: number): Count {
    this.#callsInWindow++;
    this.#callsSinceAsked++;
    return { current: this.#shared.max - this.#left - unused, ttl: Math.max(this.#windowEnds - now, 1) };
  }

  #refused(now: number): Count {
    return { current: this.#shared.max + 1, ttl: Math.max(this.#refusedUntil - now, 1) };
  }
}
