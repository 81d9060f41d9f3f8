import type { OpenAnswer } from "./api-caller.ts";

/** Bytes of records that come together. */
const BATCH_BYTES = 2 * 1024 * 1024;

const LINE_FEED = 0x0a;

/** Reads NDJSON in texts of complete lines, some thousand at a time. @throws when the stream breaks off, after what came before */
export async function* exportBatches({ answer, limit }: OpenAnswer): AsyncGenerator<string, void, undefined> {
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const next = () => limit.within(reader.read()).catch((failure: unknown) => ({ done: true as const, failure }));
  let kept: Uint8Array[] = [];
  let size = 0;
  try {
    let read = await next();
    for (; !read.done; read = await next()) {
      const { value } = read;
      const end = size + value.length < BATCH_BYTES ? -1 : value.lastIndexOf(LINE_FEED);
      kept.push(end < 0 ? value : value.subarray(0, end));
      size += value.length;
      if (end < 0) continue;
      yield textOf(kept);
      kept = [value.subarray(end + 1)];
      size = value.length - end - 1;
    }
    const rest = textOf(kept);
    const end = rest.lastIndexOf("\n");
    if (end >= 0) yield rest.slice(0, end);
    if ("failure" in read) throw read.failure;
  } finally {
    limit.end();
  }
}

function textOf(pieces: readonly Uint8Array[]): string {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return new TextDecoder().decode(all);
}
