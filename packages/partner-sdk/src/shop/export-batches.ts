import type { OpenAnswer } from "./api-caller.ts";

/** Bytes of records that are parsed at once. */
const BATCH_BYTES = 1024 * 1024;

const LINE_FEED = 0x0a;
const COMMA = 0x2c;
const [OPENING, CLOSING] = [0x5b, 0x5d];

/**
 * Reads NDJSON in batches of complete lines. What comes after the last line break is half a record, and is left out.
 * @throws when the stream breaks off
 */
export async function* exportBatches<T>({ answer, limit }: OpenAnswer): AsyncGenerator<readonly T[], void, undefined> {
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  let kept: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await limit.within(reader.read());
      if (done) break;
      const end = size + value.length < BATCH_BYTES ? -1 : value.lastIndexOf(LINE_FEED);
      if (end < 0) {
        kept.push(value);
        size += value.length;
        continue;
      }
      const lines = [...kept, value.subarray(0, end + 1)];
      const rest = value.subarray(end + 1);
      kept = [rest];
      size = rest.length;
      yield parseLines(lines);
    }
    const last = joined(kept);
    const end = last.lastIndexOf(LINE_FEED);
    if (end >= 0) yield parseLines([last.subarray(0, end + 1)]);
  } finally {
    limit.end();
  }
}

/** Complete lines as one array: parsing them together is faster than one by one. No record has a line break in it. */
function parseLines<T>(pieces: readonly Uint8Array[]): readonly T[] {
  const array = joined([Uint8Array.of(OPENING), ...pieces]);
  for (let at = array.indexOf(LINE_FEED); at >= 0; at = array.indexOf(LINE_FEED, at + 1)) array[at] = COMMA;
  array[array.length - 1] = CLOSING;
  return JSON.parse(new TextDecoder().decode(array));
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
