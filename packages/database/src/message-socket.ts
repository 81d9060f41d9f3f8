import { type NetConnectOpts, Socket } from "node:net";

/** Bytes of a message's kind and length. */
const HEADER = 5;
const INITIAL = 256 * 1024;
const MOST_KEPT = 2 * 1024 * 1024;
const LEAST_ROOM = 16 * 1024;
const WATCH_MS = 1000;

/**
 * A socket for Postgres that reads into one buffer of its own, again and again, and hands on whole messages only. A
 * page of results then costs no allocation to read, where Node would make a buffer for every piece of it.
 *
 * What is handed on is overwritten by the next read: whoever wants to keep bytes copies them at once. postgres.js
 * does so with everything but raw rows, which must be taken by `forEach`, and COPY.
 *
 * @param silence milliseconds after which a server that was asked and says nothing counts as lost. TCP would wait for a
 * host that is gone for a quarter of an hour; what is sure to be answered needn't.
 */
export function messageSocket(address: NetConnectOpts, silence = Number.POSITIVE_INFINITY): Socket {
  let buffer = Buffer.allocUnsafeSlow(INITIAL);
  let filled = 0;
  let askedAt = 0;
  const take = (bytes: number): boolean => {
    askedAt = 0;
    filled += bytes;
    const whole = wholeMessages(buffer, filled);
    if (whole > 0) {
      socket.emit("data", buffer.subarray(0, whole));
      buffer.copyWithin(0, whole, filled);
      filled -= whole;
    }
    const needed = Math.max(pendingMessage(buffer, filled), filled + LEAST_ROOM);
    if (buffer.length < needed) buffer = Buffer.concat([buffer.subarray(0, filled)], 2 ** Math.ceil(Math.log2(needed)));
    else if (filled === 0 && buffer.length > MOST_KEPT) buffer = Buffer.allocUnsafeSlow(INITIAL);
    return true;
  };
  const socket = new Socket({ onread: { buffer: () => buffer.subarray(filled), callback: take } });
  const write = socket.write.bind(socket) as (...chunk: unknown[]) => boolean;
  socket.write = (...chunk: unknown[]) => {
    askedAt ||= performance.now();
    return write(...chunk);
  };
  const watch = setInterval(() => {
    if (askedAt > 0 && performance.now() - askedAt > silence) socket.destroy(new SilentServerError());
  }, WATCH_MS).unref();
  socket.once("close", () => clearInterval(watch));
  return socket.connect(address);
}

/** The server was asked and said nothing. A fault, as any loss of a connection. */
class SilentServerError extends Error {
  readonly code = "ETIMEDOUT";
}

/** How many of the first `filled` bytes are whole messages: each is its kind, its length from there on, and the rest. */
function wholeMessages(buffer: Buffer, filled: number): number {
  let whole = 0;
  while (filled - whole >= HEADER) {
    const end = whole + 1 + buffer.readUInt32BE(whole + 1);
    if (end > filled) break;
    whole = end;
  }
  return whole;
}

/** The length of the message that the first `filled` bytes begin, as far as it is known. */
function pendingMessage(buffer: Buffer, filled: number): number {
  return filled < HEADER ? 0 : 1 + buffer.readUInt32BE(1);
}
