import { type ClockMessage, isClockMessage } from "./follower-processes.ts";

/** Under this name a process that follows the sandbox's clock can be told from any other. */
const MARK = Symbol.for("partner-connect.sandbox-clock");

let movedBy = 0;

/** Makes `Date` of this process tell another time: `new Date()`, `Date()` and `Date.now()` are ahead by what {@link moveDate} says. */
function installMovedDate(): void {
  const world = globalThis as { [MARK]?: boolean };
  if (world[MARK]) return;
  world[MARK] = true;
  const machineNow = Date.now.bind(Date);
  const now = (): number => machineNow() + movedBy;
  const machineDate = Date;
  machineDate.now = now;
  globalThis.Date = new Proxy(machineDate, {
    construct: (target, values, made) => Reflect.construct(target, values.length === 0 ? [now()] : values, made),
    apply: () => new machineDate(now()).toString(),
  });
  globalThis.Date.prototype.constructor = globalThis.Date;
}

function moveDate(by: number): void {
  movedBy = by;
}

/**
 * `node --import` loads this before anything else of a process that follows the sandbox's clock. Monotonic time stays the machine's.
 * Without a parent that moves it, and in production, it refuses to start.
 */
function refuse(why: string): never {
  process.stderr.write(`sandbox clock: ${why}; start this process without --import ${import.meta.filename}\n`);
  process.exit(1);
}

if (!process.send) refuse("only 'pnpm sandbox' can move it, and this process was not started by that");
if (process.env["NODE_ENV"] === "production") refuse("it is not for production");

installMovedDate();
await new Promise<void>((resolve) => {
  process.on("message", (message) => {
    if (!isClockMessage(message)) return;
    moveDate(message.movedBy);
    process.send?.({ sandboxClock: true, movedBy: message.movedBy } satisfies ClockMessage);
    resolve();
  });
});
// The process ends when its own work does.
process.channel?.unref();
