import type { Socket } from "node:net";

/**
 * Destroys a connection whose server was asked and has sent nothing for `silence` milliseconds. Returns the timer: the
 * caller refreshes it when it sends something while no answer is awaited.
 *
 * The `socketTimeout` and the `commandTimeout` of ioredis can't do it, because they take a busy process for a silent server.
 * Timers run before sockets are read. When this process itself was busy for longer than the silence, theirs end first, though
 * the answer has arrived.
 */
export function destroyWhenSilent(stream: Socket, silence: number, isAsked: () => boolean): NodeJS.Timeout {
  let received = 0;
  const timer = setTimeout(() => {
    // At rest there is nothing to wait for. A command that is sent now restarts the timer.
    if (!isAsked()) return;
    const before = received;
    // An answer that has arrived is read first.
    setImmediate(() => {
      if (received === before) stream.destroy(new Error(`Redis has said nothing for ${silence} ms`));
    });
  }, silence);
  stream.on("data", () => {
    received++;
    timer.refresh();
  });
  stream.once("close", () => clearTimeout(timer));
  return timer;
}
