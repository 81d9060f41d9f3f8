import type { Buffers } from "./buffer-pool.ts";
import type { Edge } from "./page-links.ts";

/** Takes the records of a page in the order of the list. */
export interface RecordWriter {
  /** `record` is compact JSON text; its bytes are another's after the call. */
  add(record: Buffer): void;
  /** The first and the last record; null when there is none. */
  edges(): { readonly first: Edge; readonly last: Edge } | null;
}

const LEAST_ROOM = 4096;

/** Writes records as they are, each copied once, with bytes between them and around them. */
export class TextWriter implements RecordWriter {
  readonly #pool: Buffers;
  readonly #separator: number;
  readonly #firstAt: number;
  #buffer: Buffer;
  #end: number;
  #firstEnd = 0;
  #lastAt = 0;

  /** @param separator one ASCII character */
  constructor(pool: Buffers, opening: string, separator: string) {
    this.#pool = pool;
    this.#separator = separator.charCodeAt(0);
    this.#buffer = pool.take();
    this.#end = this.#buffer.write(opening);
    this.#firstAt = this.#end;
  }

  add(record: Buffer): void {
    this.#makeRoom(record.length + 1);
    if (this.#firstEnd > 0) this.#buffer[this.#end++] = this.#separator;
    this.#lastAt = this.#end;
    this.#end += record.copy(this.#buffer, this.#end);
    if (this.#firstEnd === 0) this.#firstEnd = this.#end;
  }

  edges(): { first: Edge; last: Edge } | null {
    if (this.#firstEnd === 0) return null;
    return {
      first: readEdge(this.#buffer.toString("utf8", this.#firstAt, this.#firstEnd)),
      last: readEdge(this.#buffer.toString("utf8", this.#lastAt, this.#end)),
    };
  }

  /** What was written, and `closing` behind it. The bytes are valid until {@link release}. */
  finish(closing: string): Buffer {
    this.#makeRoom(3 * closing.length);
    this.#end += this.#buffer.write(closing, this.#end);
    return this.#buffer.subarray(0, this.#end);
  }

  /** Gives the memory back. Nothing may be added any more, and nobody may be reading what was written. */
  release(): void {
    this.#pool.give(this.#buffer);
  }

  #makeRoom(bytes: number): void {
    if (this.#end + bytes <= this.#buffer.length) return;
    const larger = this.#pool.take(this.#end + bytes + LEAST_ROOM);
    this.#buffer.copy(larger, 0, 0, this.#end);
    this.#pool.give(this.#buffer);
    this.#buffer = larger;
  }
}

/** What matters of a record at the edge of its page. */
export function readEdge(record: string): Edge {
  const { id, inserted_at, updated_at } = JSON.parse(record) as EdgeRecord;
  return { id: String(id), insertedAt: inserted_at, updatedAt: updated_at };
}

interface EdgeRecord {
  readonly id: string | number;
  readonly inserted_at: string;
  readonly updated_at: string;
}
