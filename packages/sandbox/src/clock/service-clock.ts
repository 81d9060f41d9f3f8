import { type ClockMessage, isClockMessage } from "./follower-processes.ts";
import { installMovedDate, moveDate } from "./moved-date.ts";

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
