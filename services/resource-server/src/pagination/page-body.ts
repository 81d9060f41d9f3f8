import { BufferPool } from "./buffer-pool.ts";
import type { PageLinks } from "./prev-next-links.ts";

const OPENING = '{"data":[';

/** What the links of nearly every page fit into. */
const CLOSING_ROOM = 1024;

/** The envelope of every list around its records, in memory of the pool. */
export class PageBody {
  readonly #pool: BufferPool;
  #buffer: Buffer;
  #end: number;

  /** Bytes of memory that these records need, but for links of an unusual length. */
  static lengthFor(records: Buffer): number {
    return BufferPool.lengthFor(OPENING.length + records.length + CLOSING_ROOM);
  }

  /** Copies the records. */
  constructor(pool: BufferPool, records: Buffer) {
    this.#pool = pool;
    this.#buffer = pool.take(OPENING.length + records.length + CLOSING_ROOM);
    this.#end = this.#buffer.write(OPENING, "latin1");
    this.#end += records.copy(this.#buffer, this.#end);
  }

  /** The whole body. Its bytes are valid until {@link release}. */
  finish({ prev, next }: PageLinks): Buffer {
    // URLs are ASCII.
    const closing = `],"prev":${JSON.stringify(prev)},"next":${JSON.stringify(next)}}`;
    const size = this.#end + closing.length;
    if (size > this.#buffer.length) {
      const larger = this.#pool.take(size);
      this.#buffer.copy(larger, 0, 0, this.#end);
      this.#pool.give(this.#buffer);
      this.#buffer = larger;
    }
    this.#buffer.write(closing, this.#end, "latin1");
    return this.#buffer.subarray(0, size);
  }

  /** Gives the buffer back: nobody may be reading the body any more. */
  release(): void {
    this.#pool.give(this.#buffer);
  }
}
