import type { ServerResponse } from "node:http";
import type { ApiError } from "../errors/api-error.ts";
import type { MemoryBudget } from "./memory-budget.ts";
import type { RecordSizes } from "./record-sizes.ts";

/** What one answer holds of the memory, from before its records are read until its caller has taken it. */
export class HeldAnswer {
  readonly #budget: MemoryBudget;
  readonly #sizes: RecordSizes;
  readonly #shopId: string;
  readonly #records: number;
  #bytes = 0;
  #isReleased = false;

  /** @param records how many records it may have */
  constructor(budget: MemoryBudget, sizes: RecordSizes, shopId: string, records: number) {
    this.#budget = budget;
    this.#sizes = sizes;
    this.#shopId = shopId;
    this.#records = records;
  }

  /** Bytes of its records, by the size that the shop's have had. */
  get expected(): number {
    return this.#sizes.expect(this.#shopId, this.#records);
  }

  /**
   * Holds what the answer really needs, once its records have come.
   * @param bytes memory of the answer
   * @param content bytes of the records themselves
   * @returns false where there is no room for that: the answer then holds nothing
   */
  take(bytes: number, content: number): boolean {
    this.#sizes.note(this.#shopId, this.#records, content);
    this.resize(0);
    if (this.#budget.hasRoom(this.#shopId, bytes)) this.resize(bytes);
    else this.release();
    return !this.#isReleased;
  }

  /** Why there was no room. */
  refusal(): ApiError {
    return this.#budget.refusal(this.#shopId);
  }

  /** Holds `bytes` from here on; whether there is room for more is the caller's question. */
  resize(bytes: number): this {
    if (this.#isReleased || bytes === this.#bytes) return this;
    this.#budget.add(this.#shopId, bytes - this.#bytes);
    this.#bytes = bytes;
    return this;
  }

  /** Holds nothing from here on. A second call does nothing. */
  release(): void {
    this.resize(0);
    this.#isReleased = true;
  }

  /** Releases when the response ends: taken, or given up. */
  releaseWith(response: ServerResponse): void {
    if (response.destroyed) this.release();
    else response.once("close", () => this.release());
  }
}
