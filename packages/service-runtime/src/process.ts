import { setTimeout as sleep } from "node:timers/promises";
import closeWithGrace from "close-with-grace";
import { ConfigurationError } from "./environment.ts";
import type { Logger } from "./logger.ts";

/** A running service process. */
export interface Process {
  readonly logger: Logger;
  /** Between 'not ready' and the close, for the gateway to notice. */
  readonly drainSeconds: number;
  /** Says not ready from now on. */
  drain(): void;
  /** Ends what is open: requests under way first, then stores. */
  close(): Promise<void>;
}

/** For the close after the pause: answers have half of it. */
const CLOSE_LIMIT_MS = 20_000;

let leaving = false;

/** Whether this process has been told to end: it still answers, and whoever asks should ask another one next. */
export function isLeaving(): boolean {
  return leaving;
}

/**
 * Runs a service until SIGTERM or SIGINT: not ready → a pause for the gateway to notice → close.
 * An error that nothing caught ends the process with 1 after the same close.
 */
export async function runProcess(start: () => Promise<Process>): Promise<void> {
  let running: Process;
  try {
    running = await start();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`configuration: ${error.message}\n`);
    process.exitCode = 1;
    return;
  }
  const delay = running.drainSeconds * 1000 + CLOSE_LIMIT_MS;
  closeWithGrace({ delay, logger: false }, async ({ err, signal }) => {
    if (err) running.logger.fatal({ err }, "uncaught error");
    else running.logger.info({ signal }, "closing");
    leaving = true;
    running.drain();
    if (!err) await sleep(running.drainSeconds * 1000);
    await running.close();
  });
}
