import { LRUCache } from "lru-cache";

/** Bytes of a record of a shop that nothing is known of. */
const UNKNOWN_SIZE = 1024;

/** An answer with this number of records weighs as much as all answers before it. */
const HALF_WEIGHT_RECORDS = 1000;

/** Shops whose average is kept, at some hundred bytes each. */
const MOST_SHOPS = 10_000;

/** How large the records of each shop are: a moving average, by which an answer is judged before it is read. */
export class RecordSizes {
  readonly #averages = new LRUCache<string, number>({ max: MOST_SHOPS });

  expect(shopId: string, records: number): number {
    return Math.max(Math.ceil(records * this.#average(shopId)), 1);
  }

  /** A read that asked for `records` gave `bytes`. */
  note(shopId: string, records: number, bytes: number): void {
    const average = this.#average(shopId);
    const weight = records / (records + HALF_WEIGHT_RECORDS);
    this.#averages.set(shopId, average + weight * (bytes / records - average));
  }

  #average(shopId: string): number {
    return this.#averages.get(shopId) ?? UNKNOWN_SIZE;
  }
}
