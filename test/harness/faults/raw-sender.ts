import { connect } from "node:net";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";

export interface RawSending {
  readonly port: number;
  /** The request line and the headers, without the empty line at their end. */
  readonly head: readonly string[];
  /** Bytes of the body. */
  readonly size: number;
  readonly chunked?: boolean;
  /** Milliseconds between two pieces. Default: none. */
  readonly pause?: number;
  readonly piece?: number;
  /** Sends headers that never end. */
  readonly endless?: boolean;
}

export type RawAnswer = Awaited<ReturnType<typeof sendRaw>>;

const LIMIT_MS = 30_000;

/** Sends a whole body and ignores early responses, like a badly behaved client. */
export async function sendRaw(sending: RawSending) {
  const { port, head, size, chunked, pause, piece = 65_536, endless } = sending;
  const begin = Date.now();
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let text = "";
  let isOver = false;
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
  });
  socket.on("end", () => {
    isOver = true;
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    isOver = true;
  });
  const length = chunked ? "transfer-encoding: chunked" : `content-length: ${size}`;
  socket.write(endless ? head.join("\r\n") : `${[...head, length].join("\r\n")}\r\n\r\n`);
  const beforeBody = socket.bytesWritten;
  for (let sent = 0; sent < size && !isOver; sent += piece) {
    // Read an answer before the next write, which would lose it if the connection was reset.
    await turn();
    if (isOver) break;
    const data = "x".repeat(Math.min(piece, size - sent));
    const taken = socket.write(chunked ? `${data.length.toString(16)}\r\n${data}\r\n` : data);
    if (!taken)
      await Promise.race(
        ["drain", "close", "end"].map((name) => new Promise((go) => socket.once(name, go))),
      );
    if (pause && text) break;
    if (pause) await sleep(pause);
  }
  if (chunked && !isOver) socket.write("0\r\n\r\n");
  const isWhole = () => /\r\n\r\n(?:.*\}|0\r\n)/s.test(text);
  while (!isOver && !isWhole() && Date.now() - begin < LIMIT_MS) await sleep(20);
  socket.destroy();
  const [answerHead = "", body = ""] = text.split("\r\n\r\n");
  return {
    /** 0 if the connection ended without an answer. */
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(answerHead)?.[1] ?? 0),
    head: answerHead.toLowerCase(),
    // The JSON of the body, without the framing of chunks.
    body: /\{.*\}/s.exec(body)?.[0] ?? "",
    /** How many bytes of the body the other side's system took. */
    taken: socket.bytesWritten - socket.writableLength - beforeBody,
  };
}
