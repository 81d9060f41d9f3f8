import type { Writable } from "node:stream";

/**
 * Called before each write to `stream`, it makes one write of all that is written in this turn of the event loop: one
 * system call here, one read at the server. Whoever writes keeps its promises, its order and its errors as they are.
 *
 * It is written so that a client of Redis could have it built in. The `enableAutoPipelining` of ioredis puts the same bytes
 * on the wire by collecting commands in a pipeline. That costs a pipeline a turn, and a callback and a promise more for each
 * command, which live until the slowest answer of their turn is there: a tenth more CPU for a refresh, and 30 MB. And what
 * is sent meanwhile waits for that answer, because one pipeline runs at a time.
 */
export function oneWriteATurn(stream: Writable): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}
