import { type NetConnectOpts, Socket } from "node:net";
import { endWhenSilent } from "../pool/silent-server.ts";

/** Bytes of a message's kind and length. */
const HEADER = 5;
const INITIAL = 256 * 1024;
const MOST_KEPT = 2 * 1024 * 1024;
const LEAST_ROOM = 16 * 1024;

/**
 * A socket for Postgres that reads into one buffer, again and again, and hands on whole messages: no allocation for each piece of a
 * page. The next read overwrites them, so only {@link connectRowReader} opens it, where nothing keeps them. `silence`: {@link
 * endWhenSilent}
 */
export class MessageSocket extends Socket {
  constructor(address: NetConnectOpts, silence = Number.POSITIVE_INFINITY) {
    let buffer = Buffer.allocUnsafeSlow(INITIAL);
    let filled = 0;
    const take = (bytes: number): boolean => {
      heard();
      filled += bytes;
      const whole = wholeMessages(buffer, filled);
      if (whole > 0) {
        this.emit("data", buffer.subarray(0, whole));
        buffer.copyWithin(0, whole, filled);
        filled -= whole;
      }
      const needed = Math.max(pendingMessage(buffer, filled), filled + LEAST_ROOM);
      if (buffer.length < needed)
        buffer = Buffer.concat([buffer.subarray(0, filled)], 2 ** Math.ceil(Math.log2(needed)));
      else if (filled === 0 && buffer.length > MOST_KEPT) buffer = Buffer.allocUnsafeSlow(INITIAL);
      return true;
    };
    super({ onread: { buffer: () => buffer.subarray(filled), callback: take } });
    this.connect(address);
    const heard = endWhenSilent(this, silence);
  }
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
