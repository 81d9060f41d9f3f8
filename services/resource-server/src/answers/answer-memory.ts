import type { ServerResponse } from "node:http";
import { type ApiError, rateLimited, unavailable } from "../errors/api-error.ts";

/** Seconds. Most answers are taken within milliseconds; one that isn't taken at all, within the stall limit. */
const RETRY_AFTER = "5";

/** Bytes of a record, as long as nothing is known of a shop's; and the records that say as much as all before them. */
const USUAL_RECORD = 1024;
const TELLING = 1000;

/** Shops of which is remembered how large their records are. */
const REMEMBERED = 10_000;

interface Share {
  held: number;
  /** Bytes of a record, as far as known. */
  record: number;
}

/**
 * The memory of answers that callers haven't taken yet: pages and exports of all shops, at most `limit` bytes.
 *
 * A shop may hold as much as is then still free. So one that lets its answers lie gets half of the memory, two get a
 * third each, and there is always room for those who take what they ask for. A shop that holds nothing may use all that
 * is free: a page alone is never too large beside its neighbours'.
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
   * Room for an answer of so many records, by the size that the shop's records have had. To be asked before they are read.
   * @throws {ApiError} 429 when the shop's other answers take its share, 503 when there is no room for anybody
   */
  admit(shopId: string, records: number): HeldAnswer {
    const share = this.#shares.get(shopId) ?? this.#newShare(shopId);
    // A page alone is let in as long as anything is free: it may be smaller than expected.
    const most = share.held === 0 ? this.#limit - this.#held : Number.POSITIVE_INFINITY;
    const expected = Math.min(Math.ceil(records * share.record) + 1, most);
    if (expected <= 0 || !this.#fits(share, expected)) throw refusal(share);
    return new HeldAnswer(share, records, this.#add, this.#fits).resize(expected);
  }

  #newShare(shopId: string): Share {
    if (this.#shares.size >= REMEMBERED) {
      for (const [id, { held }] of this.#shares) {
        if (held > 0) continue;
        this.#shares.delete(id);
        break;
      }
    }
    const share = { held: 0, record: USUAL_RECORD };
    this.#shares.set(shopId, share);
    return share;
  }

  readonly #fits = (share: Share, bytes: number): boolean => {
    const free = this.#limit - this.#held - bytes;
    return free >= (share.held === 0 ? 0 : share.held + bytes);
  };

  readonly #add = (share: Share, bytes: number): void => {
    this.#held += bytes;
    share.held += bytes;
  };
}

/** One answer's part of the memory. */
export class HeldAnswer {
  readonly #share: Share;
  readonly #records: number;
  readonly #add: (share: Share, bytes: number) => void;
  readonly #fits: (share: Share, bytes: number) => boolean;
  #bytes = 0;
  #isOver = false;

  constructor(
    share: Share,
    records: number,
    add: (share: Share, bytes: number) => void,
    fits: (share: Share, bytes: number) => boolean,
  ) {
    this.#share = share;
    this.#records = records;
    this.#add = add;
    this.#fits = fits;
  }

  /**
   * The records have come: whether there is room for an answer of `bytes` with them. If not, nothing is held any more.
   * @param content bytes of the records themselves
   */
  take(bytes: number, content: number): boolean {
    const share = this.#share;
    const weight = this.#records / (this.#records + TELLING);
    share.record += weight * (content / this.#records - share.record);
    this.resize(0);
    if (this.#fits(share, bytes)) this.resize(bytes);
    else this.release();
    return !this.#isOver;
  }

  /** Why there was no room: the shop's own answers, or those of all. */
  refusal(): ApiError {
    return refusal(this.#share);
  }

  /** An answer that has begun may grow beyond the limit: it is not broken off for that. */
  resize(bytes: number): this {
    if (this.#isOver || bytes === this.#bytes) return this;
    const more = bytes - this.#bytes;
    this.#bytes = bytes;
    this.#add(this.#share, more);
    return this;
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

function refusal({ held }: Share): ApiError {
  return held > 0 ? rateLimited({ "retry-after": RETRY_AFTER }) : unavailable(RETRY_AFTER);
}
