import type { Command } from "ioredis";
import type { StoreMeter } from "../metrics/store-meters.ts";
import { type Tracing, tracing } from "../tracing/index.ts";

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
