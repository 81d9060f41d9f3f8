import { isUtf8 } from "node:buffer";

/** A refusal of an import. `line` counts lines, including blank ones, or array elements, from 1. */
export class ImportError extends Error {
  readonly code = "IMPORT_REFUSED";
  readonly line: number;
  readonly field: string | undefined;
  /** The first bad lines, including this one. */
  errors: readonly ImportError[] = [this];

  constructor(line: number, reason: string, field?: string) {
    super(`line ${line}: ${reason}`);
    this.name = "ImportError";
    this.line = line;
    this.field = field;
  }
}

/** Collects the bad lines, at most `max`. */
export class BadLines {
  readonly errors: ImportError[];
  readonly #max: number;

  constructor(max: number, errors: readonly ImportError[] = []) {
    this.errors = [...errors];
    this.#max = max;
  }

  /** @throws {ImportError} for the first bad line, once there are `max` */
  add(error: ImportError): void {
    this.errors.push(error);
    if (this.errors.length >= this.#max) this.throwIfAny();
  }

  /** @throws {ImportError} for the first bad line, if there is any */
  throwIfAny(): void {
    const errors = this.errors.toSorted((a, b) => a.line - b.line);
    const [first] = errors;
    if (first) throw Object.assign(first, { errors });
  }
}

/** Text or UTF-8 bytes in chunks, which may end anywhere. */
export type Chunks = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = /^\uFEFF/;

/**
 * Yields blocks of lines, including blank ones. @throws {ImportError} for a line over `maxBytes`,
 * or not UTF-8
 */
export async function* splitLines(chunks: Chunks, maxBytes: number): AsyncGenerator<string[]> {
  let rest: Buffer = Buffer.alloc(0);
  let read = 0;
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, Buffer.from(chunk)]);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    rest = bytes.subarray(end);
    if (end > 0) {
      const lines = decodeLines(bytes.subarray(0, end - 1), read, maxBytes);
      read += lines.length;
      yield lines;
    }
    if (rest.length > maxBytes) throw tooLongError(read + 1, maxBytes);
  }
  if (rest.length > 0) yield decodeLines(rest, read, maxBytes);
}

function decodeLines(block: Buffer, before: number, maxBytes: number): string[] {
  if (!isUtf8(block)) throw new ImportError(before + firstBadLine(block), "is not UTF-8");
  const text = block.toString("utf8");
  const lines = (before === 0 ? text.replace(BYTE_ORDER_MARK, "") : text).split("\n");
  for (const [index, line] of lines.entries())
    if (line.length * 3 > maxBytes && Buffer.byteLength(line) > maxBytes)
      throw tooLongError(before + index + 1, maxBytes);
  return lines;
}

/** The number, from 1, of the first line that is not UTF-8. Only a newline has a newline byte. */
function firstBadLine(block: Buffer): number {
  let line = 1;
  let start = 0;
  for (;;) {
    const newline = block.indexOf(NEWLINE, start);
    if (newline < 0 || !isUtf8(block.subarray(start, newline))) return line;
    line++;
    start = newline + 1;
  }
}

export function tooLongError(line: number, maxBytes: number): ImportError {
  return new ImportError(line, `is longer than ${maxBytes / 1024} KiB`);
}
