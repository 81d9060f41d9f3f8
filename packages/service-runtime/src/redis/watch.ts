import type { Socket } from "node:net";
import type { Writable } from "node:stream";
import type { Command, Redis as Server } from "ioredis";
import type { StoreMeter } from "../metrics/store-meters.ts";
import { traceCall } from "../tracing/tracing.ts";

export interface Watch {
  /** Milliseconds after which a server that was asked and sends nothing counts as lost. */
  readonly silence: number;
  readonly observe: (command: Command) => void;
}

/** From before it is open: all commands of one turn of the event loop go out in one write, and a silent server loses the connection. */
export function watch(server: Server, { silence, observe }: Watch): void {
  let silenceTimer: NodeJS.Timeout | undefined;
  server.on("connect", () => {
    silenceTimer = destroyWhenSilent(server.stream, silence, () => server.commandQueue.length > 0);
  });
  const send = server.sendCommand;
  server.sendCommand = (command, stream) => {
    const isAtRest = server.commandQueue.length === 0;
    // What else this turn does may take longer than the server may be silent: it is asked by the write.
    if (server.stream?.writable) oneWriteATurn(server.stream, () => isAtRest && silenceTimer?.refresh());
    if (isAtRest) silenceTimer?.refresh();
    observe(command);
    return send.call(server, command, stream);
  };
}

/**
 * Call it before each write: all of one turn of the event loop then goes out in one. ioredis's `enableAutoPipelining` takes a tenth
 * more CPU for a refresh and 30 MB, and lets later turns wait.
 */
function oneWriteATurn(stream: Writable, written: () => void): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => {
    stream.uncork();
    written();
  });
}

/**
 * Destroys a connection whose server was asked and is silent; refresh the timer when something is sent at rest. ioredis's
 * `socketTimeout` and `commandTimeout` would take a busy process for a silent server, as timers run before sockets are read.
 */
function destroyWhenSilent(stream: Socket, silence: number, isAsked: () => boolean): NodeJS.Timeout {
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

export function observer(meter: StoreMeter | undefined): (command: Command) => void {
  return (command) => {
    if (meter) measure(command, meter);
    // By its name only: keys and values may hold tokens.
    const name = command.name.toUpperCase();
    traceCall(() => name, { "db.system.name": "redis", "db.operation.name": name }, command.promise);
  };
}

/** A command that one server of a cluster passes on to another is sent twice, and is still one. */
export function onceEach(observe: (command: Command) => void): (command: Command) => void {
  const seen = new WeakSet<Command>();
  return (command) => {
    if (seen.has(command)) return;
    seen.add(command);
    observe(command);
  };
}

function measure({ promise }: Command, meter: StoreMeter): void {
  const begun = performance.now();
  const end = (): void => meter.ended(performance.now() - begun);
  meter.begun();
  promise.then(end, end);
}
