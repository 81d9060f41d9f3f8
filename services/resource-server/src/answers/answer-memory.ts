import type { ServerResponse } from "node:http";
import { MemoryBudget } from "./memory-budget.ts";
import { RecordSizes } from "./record-sizes.ts";

/** The memory, in bytes, of answers that callers have not taken yet: the pages of all shops. {@link MemoryBudget} has the rule. */
export class AnswerMemory {
  readonly #budget: MemoryBudget;
  readonly #sizes = new RecordSizes();

  constructor(limit: number) {
    this.#budget = new MemoryBudget(limit);
  }

  get held(): number {
    return this.#budget.held;
  }

  get limit(): number {
    return this.#budget.held + this.#budget.free;
  }

  /** Holds `bytes` for an answer. @throws {ApiError} 429 when the shop's other answers take its share, 503 when there is no room */
  hold(shopId: string, bytes: number): HeldMemory {
    const held = new HeldMemory(this.#budget, shopId);
    held.take(bytes);
    return held;
  }

  /** Holds memory for a page of at most `records`, by the size that the shop's records have had. @throws {ApiError} as {@link hold} */
  admit(shopId: string, records: number): HeldMemory {
    // The only answer of a shop is admitted while anything is free: it may turn out smaller than expected.
    const most = this.#budget.heldBy(shopId) === 0 ? Math.max(this.#budget.free, 1) : Number.POSITIVE_INFINITY;
    return this.hold(shopId, Math.min(this.expect(shopId, records), most));
  }

  /** Bytes that `records` of the shop will have, by the size that its records have had. */
  expect(shopId: string, records: number): number {
    return this.#sizes.expect(shopId, records);
  }

  note(shopId: string, records: number, bytes: number): void {
    this.#sizes.note(shopId, records, bytes);
  }
}

/** What one answer holds of the memory, from before its records are read until its caller has taken it. */
export class HeldMemory {
  readonly #budget: MemoryBudget;
  readonly #shopId: string;
  #bytes = 0;

  constructor(budget: MemoryBudget, shopId: string) {
    this.#budget = budget;
    this.#shopId = shopId;
  }

  /** Holds `bytes` in place of what it held. @throws {ApiError} 429 or 503 when there is no room; then it holds nothing */
  take(bytes: number): void {
    this.release();
    if (!this.#budget.hasRoom(this.#shopId, bytes)) throw this.#budget.refusal(this.#shopId);
    this.#budget.add(this.#shopId, bytes);
    this.#bytes = bytes;
  }

  /** Holds only `bytes` of what it held. */
  keep(bytes: number): void {
    this.#budget.add(this.#shopId, bytes - this.#bytes);
    this.#bytes = bytes;
  }

  /** Holds nothing from here on. A second call does nothing. */
  release(): void {
    this.keep(0);
  }

  /** Releases when the response ends: taken, or given up. */
  releaseWith(response: ServerResponse): void {
    if (response.destroyed) this.release();
    else response.once("close", () => this.release());
  }
}
