import { setTimeout as sleep } from "node:timers/promises";
import closeWithGrace from "close-with-grace";
import type { ConfigurationError } from "../environment/environment.ts";
import type { Logger } from "../logging/logger.ts";

export interface Process {
  readonly logger: Logger;
  /** The pause between 'not ready' and the close, in which the gateway notices. */
  readonly drainSeconds: number;
  drain(): void;
  /** Closes everything: the HTTP server with its requests first, then the stores. */
  close(): Promise<void>;
}

/** For the close, after the pause. Answers under way may take half of it (connections.ts). */
const CLOSE_LIMIT_MS = 20_000;

let leaving = false;

/** Whether this process has been told to end. It still answers, and callers should go elsewhere with their next request. */
export function isLeaving(): boolean {
  return leaving;
}

/** By its code: packages that a service opens with what it was configured with have errors of their own. */
function isConfigurationError(error: unknown): error is Pick<ConfigurationError, "code" | "message"> {
  return error instanceof Error && "code" in error && error.code === "CONFIGURATION";
}

/**
 * Runs a service until SIGTERM or SIGINT: not ready, a pause for the gateway, close. An uncaught error ends it so too. @throws what
 * `start` throws; a configuration's error is printed, with exit code 1
 */
export async function runProcess(start: () => Promise<Process>): Promise<void> {
  let running: Process;
  try {
    running = await start();
  } catch (error) {
    if (!isConfigurationError(error)) throw error;
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
