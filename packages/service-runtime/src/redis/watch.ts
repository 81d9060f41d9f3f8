import type { Socket } from "node:net";
import type { Writable } from "node:stream";
import type { Command, Redis as Server } from "ioredis";
import type { StoreMeter } from "../metrics/store-meters.ts";
import { type Tracing, tracing } from "../tracing/index.ts";

export interface Watch {
  /** Milliseconds after which a server that was asked and sends nothing counts as lost. */
  readonly silence: number;
  /** Learns of each command that is sent. */
  readonly observe: (command: Command) => void;
}

/**
 * Watches a connection to one server, from before it is open: all commands of one turn of the event loop go out in one write, and
 * when the server was asked and is silent, the connection is closed, so that all commands that wait fail.
 */
export function watch(server: Server, { silence, observe }: Watch): void {
  /** Of the open connection. */
  let silenceTimer: NodeJS.Timeout | undefined;
  server.on("connect", () => {
    silenceTimer = destroyWhenSilent(server.stream, silence, () => server.commandQueue.length > 0);
  });
  const send = server.sendCommand;
  server.sendCommand = (command, stream) => {
    if (server.stream?.writable) oneWriteATurn(server.stream);
    if (server.commandQueue.length === 0) silenceTimer?.refresh();
    observe(command);
    return send.call(server, command, stream);
  };
}

/**
 * Call it before each write to `stream`. All that is written in one turn of the event loop then goes out in one write: one
 * system call here, one read at the server. Nothing changes for the commands: their promises, their order, their errors.
 *
 * A client of Redis could have this built in, so it depends on nothing of ours. The `enableAutoPipelining` of ioredis sends
 * the same bytes, by collecting commands in a pipeline. That costs a pipeline for each turn, and a callback and a promise
 * more for each command, which live until the last answer of their turn is there: a tenth more CPU for a refresh, and 30 MB.
 * Commands of later turns wait for that answer too, because one pipeline runs at a time.
 */
function oneWriteATurn(stream: Writable): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}

/**
 * Destroys a connection whose server was asked and has sent nothing for `silence` milliseconds. Returns the timer: the
 * caller refreshes it when it sends something while no answer is awaited.
 *
 * The `socketTimeout` and the `commandTimeout` of ioredis can't do it, because they take a busy process for a silent server.
 * Timers run before sockets are read. When this process itself was busy for longer than the silence, theirs end first, though
 * the answer has arrived.
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
    const traces = tracing();
    if (traces) traceCommand(traces, command);
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

/** By its name alone: keys and values may hold tokens. */
function traceCommand(traces: Tracing, command: Command): void {
  const name = command.name.toUpperCase();
  const span = traces.call(name, { "db.system.name": "redis", "db.operation.name": name });
  if (span)
    command.promise.then(
      () => span.end(),
      (error: unknown) => span.end(error),
    );
}
