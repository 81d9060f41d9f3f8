import { type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";

/** A whole answer. */
export interface SlowAnswer {
  readonly status: number;
  readonly body: Buffer;
}

const PIECE = 256 * 1024;

/** Reads about 5 MB a second, so that most of a large answer waits in the server. Rejects when the answer was cut off. */
export async function readSlowly(url: string, headers: Readonly<Record<string, string>>): Promise<SlowAnswer> {
  const { hostname, port, pathname, search } = new URL(url);
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { host: hostname, port, path: pathname + search, headers, agent: false } as const;
    const outgoing = request(options, resolve).on("error", reject);
    onTestFinished(() => void outgoing.destroy());
    outgoing.end();
  });
  const pieces: Buffer[] = [];
  let unread = 0;
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    pieces.push(piece);
    unread += piece.length;
    if (unread < PIECE) continue;
    unread = 0;
    await sleep(50);
  }
  if (!incoming.complete) throw new Error("cut");
  return { status: incoming.statusCode ?? 0, body: Buffer.concat(pieces) };
}
