import { HeldAnswer } from "./held-answer.ts";
import { MemoryBudget } from "./memory-budget.ts";
import { RecordSizes } from "./record-sizes.ts";

/**
 * The memory of answers that callers have not taken yet: pages and exports of all shops. {@link MemoryBudget} says who may
 * hold how much of it.
 */
export class AnswerMemory {
  readonly #budget: MemoryBudget;
  readonly #sizes = new RecordSizes();

  /** @param limit bytes */
  constructor(limit: number) {
    this.#budget = new MemoryBudget(limit);
  }

  /** Bytes. */
  get held(): number {
    return this.#budget.held;
  }

  /** Bytes. */
  get limit(): number {
    return this.#budget.held + this.#budget.free;
  }

  /**
   * Holds this number of bytes for an answer.
   * @throws {ApiError} as {@link admit}
   */
  hold(shopId: string, bytes: number): HeldAnswer {
    if (!this.#budget.hasRoom(shopId, bytes)) throw this.#budget.refusal(shopId);
    return new HeldAnswer(this.#budget, this.#sizes, shopId, 0).resize(bytes);
  }

  /**
   * Holds memory for an answer of so many records before they are read, by the size that the shop's records have had.
   * @throws {ApiError} 429 when the shop's other answers take its share, 503 when there is no room for anybody
   */
  admit(shopId: string, records: number): HeldAnswer {
    const expected = this.#sizes.expect(shopId, records);
    // The only answer of a shop is admitted while anything is free: it may turn out smaller than expected.
    const isOnly = this.#budget.heldBy(shopId) === 0;
    const bytes = isOnly ? Math.min(expected, this.#budget.free) : expected;
    if (bytes <= 0 || !this.#budget.hasRoom(shopId, bytes)) throw this.#budget.refusal(shopId);
    return new HeldAnswer(this.#budget, this.#sizes, shopId, records).resize(bytes);
  }
}
