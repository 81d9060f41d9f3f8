import { type ApiError, rateLimited, unavailable } from "../errors/api-error.ts";

/** Seconds. Most answers are taken within milliseconds; an answer that nobody takes ends with its connection. */
const RETRY_AFTER = "5";

/**
 * The bytes that answers hold, of each shop and of all together: at most `limit`. After a new answer, what is free must be at least what
 * its shop then holds: a shop that takes none of its answers gets half. A shop that holds nothing may use all that is free.
 */
export class MemoryBudget {
  readonly #limit: number;
  readonly #heldByShop = new Map<string, number>();
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get held(): number {
    return this.#held;
  }

  get free(): number {
    return this.#limit - this.#held;
  }

  heldBy(shopId: string): number {
    return this.#heldByShop.get(shopId) ?? 0;
  }

  hasRoom(shopId: string, bytes: number): boolean {
    const heldBefore = this.heldBy(shopId);
    const freeAfter = this.free - bytes;
    return heldBefore === 0 ? freeAfter >= 0 : freeAfter >= heldBefore + bytes;
  }

  /** Counts `bytes` more for the shop, or fewer where they are negative. Whether there is room is the caller's question. */
  add(shopId: string, bytes: number): void {
    const held = this.heldBy(shopId) + bytes;
    if (held === 0) this.#heldByShop.delete(shopId);
    else this.#heldByShop.set(shopId, held);
    this.#held += bytes;
  }

  /** Why there is no room: 429 for a shop that has untaken answers, 503 where others hold the memory. */
  refusal(shopId: string): ApiError {
    return this.heldBy(shopId) > 0
      ? rateLimited("unread_answers", { "retry-after": RETRY_AFTER })
      : unavailable("answer_memory_full", RETRY_AFTER);
  }
}
