import type { ServerResponse } from "node:http";
import type { HeldMemory } from "../answers/answer-memory.ts";
import type { BufferPool, TakenBuffer } from "./buffer-pool.ts";
import type { PageParameters } from "./limit-and-cursor.ts";
import type { PageReading, PageRecords } from "./page-reader.ts";
import { type PageEdges, type PageLinks, pageLinks } from "./prev-next-links.ts";

const EMPTY_PAGE = Buffer.from('{"data":[],"prev":null,"next":null}');

/** A page with its memory. It belongs to the handler, which disposes of it in any case: what was not sent is released then. */
export class OwnedPage implements Disposable {
  readonly parameters: PageParameters;
  readonly #pool: BufferPool;
  readonly #held: HeldMemory;
  #read: PageRecords | null = null;
  #body: PageBody | null = null;
  #isSent = false;

  constructor(parameters: PageParameters, pool: BufferPool, held: HeldMemory) {
    this.parameters = parameters;
    this.#pool = pool;
    this.#held = held;
  }

  readonly allocate: PageReading["allocate"] = (size) => {
    this.#body = new PageBody(this.#pool, size);
    this.#held.take(this.#body.size);
    return this.#body.records;
  };

  /** It was read. An empty page holds nothing. */
  set read(read: PageRecords | null) {
    this.#read = read;
    if (read === null) this.#held.release();
  }

  get edges(): PageEdges | null {
    return this.#read?.edges ?? null;
  }

  get count(): number {
    return this.#read?.count ?? 0;
  }

  body(endpoint: string): Buffer {
    const read = this.#read;
    if (!read || !this.#body) return EMPTY_PAGE;
    return this.#body.finish(read.records.length, pageLinks(endpoint, this.parameters, read.edges));
  }

  /**
   * The response sends the body. Once the socket has all of it, its memory is another page's; if the client goes away before, it is
   * collected.
   */
  sentBy(response: ServerResponse): void {
    this.#isSent = true;
    response.once("finish", () => this.#body?.release());
    this.#held.releaseWith(response);
  }

  copySentBy(response: ServerResponse, bytes: number): void {
    this.#isSent = true;
    this.#body?.release();
    this.#held.keep(bytes);
    this.#held.releaseWith(response);
  }

  [Symbol.dispose](): void {
    if (this.#isSent) return;
    this.#body?.release();
    this.#held.release();
  }
}

const OPENING = '{"data":[';

const CLOSING_ROOM = 1024;

/** The envelope of every list around its records, in memory of a pool. */
export class PageBody {
  readonly #pool: BufferPool;
  #buffer: TakenBuffer;
  readonly records: Buffer;

  constructor(pool: BufferPool, size: number) {
    this.#pool = pool;
    this.#buffer = pool.take(OPENING.length + size + CLOSING_ROOM);
    const start = this.#buffer.bytes.write(OPENING, "latin1");
    this.records = this.#buffer.bytes.subarray(start, start + size);
  }

  get size(): number {
    return this.#buffer.bytes.length;
  }

  /** The whole body, with the first `length` bytes of the records. Its bytes are valid until {@link release}. */
  finish(length: number, { prev, next }: PageLinks): Buffer {
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

  release(): void {
    this.#buffer.release();
  }
}
