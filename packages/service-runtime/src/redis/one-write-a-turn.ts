import type { Writable } from "node:stream";

/**
 * Call it before each write to `stream`. All that is written in one turn of the event loop then goes out in one write: one
 * system call here, one read at the server. Nothing changes for the commands: their promises, their order, their errors.
 *
 * A client of Redis could have this built in, so it depends on nothing of ours. The `enableAutoPipelining` of ioredis sends
 * the same bytes, by collecting commands in a pipeline. That costs a pipeline for each turn, and a callback and a promise
 * more for each command, which live until the last answer of their turn is there: a tenth more CPU for a refresh, and 30 MB.
 * Commands of later turns wait for that answer too, because one pipeline runs at a time.
 */
export function oneWriteATurn(stream: Writable): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}
