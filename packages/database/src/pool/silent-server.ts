import type { Socket } from "node:net";

const WATCH_MS = 1000;

/** The server was asked and said nothing. A fault, as any loss of a connection. */
class SilentServerError extends Error {
  readonly code = "ETIMEDOUT";
}

/** Destroys a connecting socket whose server was asked and is silent for `silence` ms. Call what it returns when bytes arrive. */
export function endWhenSilent(socket: Socket, silence: number): () => void {
  let askedAt = 0;
  const write = socket.write.bind(socket) as (...chunk: unknown[]) => boolean;
  socket.write = (...chunk: unknown[]) => {
    askedAt ||= performance.now();
    return write(...chunk);
  };
  const isSilent = () => askedAt > 0 && performance.now() - askedAt > silence;
  const watch = setInterval(() => {
    // After a long turn of the event loop, timers run before the sockets are read: an answer may have arrived.
    setImmediate(() => {
      if (isSilent()) socket.destroy(new SilentServerError());
    });
  }, WATCH_MS).unref();
  socket.once("close", () => clearInterval(watch));
  return () => {
    askedAt = 0;
  };
}
