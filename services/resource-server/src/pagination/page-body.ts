import type { BufferPool, TakenBuffer } from "./buffer-pool.ts";
import type { PageLinks } from "./prev-next-links.ts";

const OPENING = '{"data":[';

/** What the links of nearly every page fit into. */
const CLOSING_ROOM = 1024;

/** The envelope of every list around its records, in memory of a pool. */
export class PageBody {
  readonly #pool: BufferPool;
  #buffer: TakenBuffer;
  /** Where the records are to be written. */
  readonly records: Buffer;

  /** @param size bytes of the records */
  constructor(pool: BufferPool, size: number) {
    this.#pool = pool;
    this.#buffer = pool.take(OPENING.length + size + CLOSING_ROOM);
    const start = this.#buffer.bytes.write(OPENING, "latin1");
    this.records = this.#buffer.bytes.subarray(start, start + size);
  }

  /** Bytes of its memory. */
  get size(): number {
    return this.#buffer.bytes.length;
  }

  /** The whole body, with the first `length` bytes of the records. Its bytes are valid until {@link release}. */
  finish(length: number, { prev, next }: PageLinks): Buffer {
    // URLs are ASCII.
    const closing = `],"prev":${JSON.stringify(prev)},"next":${JSON.stringify(next)}}`;
    const end = OPENING.length + length;
    const size = end + closing.length;
    if (size > this.#buffer.bytes.length) {
      const larger = this.#pool.take(size);
      this.#buffer.bytes.copy(larger.bytes, 0, 0, end);
      this.#buffer.release();
      this.#buffer = larger;
    }
    this.#buffer.bytes.write(closing, end, "latin1");
    return this.#buffer.bytes.subarray(0, size);
  }

  /** The bytes are the next answer's from here on. A second call does nothing. */
  release(): void {
    this.#buffer.release();
  }
}
