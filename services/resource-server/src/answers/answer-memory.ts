import type { ServerResponse } from "node:http";
import { type ApiError, rateLimited, unavailable } from "../errors/api-error.ts";

/** Seconds. Most answers are taken within milliseconds; one that isn't taken at all, within the stall limit. */
const RETRY_AFTER = "5";

interface Share {
  held: number;
  /** There was no room for a page of this shop, and none of its answers has ended since. */
  full: boolean;
}

/**
 * The memory of answers that callers haven't taken yet: pages and exports of all shops, at most `limit` bytes.
 *
 * A shop may hold as much as is then still free. So one that lets its answers lie gets half of the memory, two get a
 * third each, and there is always room for those who take what they ask for. A shop that holds nothing may use all that
 * is free: one page is never too large beside a neighbour's.
 */
export class AnswerMemory {
  readonly #limit: number;
  readonly #shares = new Map<string, Share>();
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes that are held. */
  get held(): number {
    return this.#held;
  }

  /**
   * To be asked before anything is read for the shop.
   * @throws {ApiError} 429 when its own answers take its share, 503 when all memory is taken
   */
  admit(shopId: string): void {
    const share = this.#shares.get(shopId);
    if (share?.full || !this.#fits(share, 1)) throw this.refusal(shopId);
  }

  /** Room for an answer of so many bytes, or null when there isn't any. */
  hold(shopId: string, bytes: number): HeldAnswer | null {
    const share = this.#shares.get(shopId);
    if (!this.#fits(share, bytes)) {
      if (share) share.full = true;
      return null;
    }
    const answer = new HeldAnswer(this.#add, shopId);
    answer.resize(bytes);
    return answer;
  }

  /** Why there was no room: the shop's own answers, or those of all. */
  refusal(shopId: string): ApiError {
    return this.#shares.has(shopId) ? rateLimited({ "retry-after": RETRY_AFTER }) : unavailable(RETRY_AFTER);
  }

  #fits(share: Share | undefined, bytes: number): boolean {
    const free = this.#limit - this.#held - bytes;
    return free >= (share ? share.held + bytes : 0);
  }

  readonly #add = (shopId: string, bytes: number): void => {
    const share = this.#shares.get(shopId) ?? { held: 0, full: false };
    if (share.held === 0) this.#shares.set(shopId, share);
    this.#held += bytes;
    share.held += bytes;
    if (bytes < 0) share.full = false;
    if (share.held === 0) this.#shares.delete(shopId);
  };
}

/** One answer's part of the memory. */
export class HeldAnswer {
  readonly #add: (shopId: string, bytes: number) => void;
  readonly #shopId: string;
  #bytes = 0;
  #isOver = false;

  constructor(add: (shopId: string, bytes: number) => void, shopId: string) {
    this.#add = add;
    this.#shopId = shopId;
  }

  /** An answer that has begun may grow beyond the limit: it is not broken off for that. */
  resize(bytes: number): void {
    if (this.#isOver || bytes === this.#bytes) return;
    const more = bytes - this.#bytes;
    this.#bytes = bytes;
    this.#add(this.#shopId, more);
  }

  /** Nothing is held from here on. */
  release(): void {
    this.resize(0);
    this.#isOver = true;
  }

  /** At the end of the response: taken, or given up. */
  releaseWith(response: ServerResponse): void {
    if (response.destroyed) this.release();
    else response.once("close", () => this.release());
  }
}
