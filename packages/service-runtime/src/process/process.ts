import { setTimeout as sleep } from "node:timers/promises";
import closeWithGrace from "close-with-grace";
import type { ConfigurationError } from "../environment/environment.ts";
import type { Logger } from "../logging/logger.ts";

export interface Process {
  readonly logger: Logger;
  /** Pause between 'not ready' and the close, for the gateway to notice. */
  readonly drainSeconds: number;
  drain(): void;
  /** Closes everything: the HTTP server with its requests first, then the stores. */
  close(): Promise<void>;
}

/** Limit of the close, after the pause. Pending answers may take half of it (connections.ts). */
const CLOSE_LIMIT_MS = 20_000;

let leaving = false;

/** True once this process is shutting down. It still answers, but callers should send their next request elsewhere. */
export function isShuttingDown(): boolean {
  return leaving;
}

/** Checks the code, because packages may have configuration errors of their own. */
function isConfigurationError(error: unknown): error is Pick<ConfigurationError, "code" | "message"> {
  return error instanceof Error && "code" in error && error.code === "CONFIGURATION";
}

/**
 * Runs a service until SIGTERM, SIGINT or an uncaught error: not ready, a pause for the gateway, close. @throws errors of `start`; a
 * configuration error is printed, with exit code 1
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
