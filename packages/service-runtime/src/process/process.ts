import { setTimeout as sleep } from "node:timers/promises";
import closeWithGrace from "close-with-grace";
import type { ServiceEnvironment } from "../environment/variable-forms.ts";
import { type InternalServerOptions, startInternalServer } from "../http/internal-server.ts";
import { createLogger, type Logger } from "../logging/logger.ts";
import { createMetrics, type Metrics, type StoreMeter, storeMeters } from "../metrics.ts";

interface ServiceConfig {
  readonly env: ServiceEnvironment;
  /** The configuration without secrets, for the log. */
  readonly summary: object;
}

interface Started<Config> {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly meter: (store: string) => StoreMeter;
}

/**
 * A started service: its readiness checks and documents for the internal server, and how it ends.
 */
interface Service extends Pick<InternalServerOptions, "checks" | "documents"> {
  /** Pause between 'not ready' and the close, for the gateway to notice. Default: 0. */
  readonly drainSeconds?: number;
  drain?(): void;
  /** Closes everything: the HTTP server with its requests first, then the stores. */
  close(): Promise<void>;
}

/** Limit of the close, after the pause. Pending responses may take half of it (connections.ts). */
const CLOSE_LIMIT_MS = 20_000;

let leaving = false;

/**
 * True once this process is shutting down. It still answers, but callers should send their next
 * request elsewhere.
 */
export function isShuttingDown(): boolean {
  return leaving;
}

/**
 * Runs a service until SIGTERM, SIGINT or an uncaught error. Then `/readyz` fails, and after a
 * pause for the gateway (none after an error) the service is closed. A configuration error is
 * printed, with exit code 1. @throws other errors of `start`
 */
export async function runService<Config extends ServiceConfig>(
  name: string,
  readConfig: () => Config,
  start: (started: Started<Config>) => Promise<Service>,
): Promise<void> {
  try {
    await run(name, readConfig(), start);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Packages may have their own configuration errors.
    if (code !== "CONFIGURATION") throw error;
    process.stderr.write(`configuration: ${message}\n`);
    process.exitCode = 1;
  }
}

async function run<Config extends ServiceConfig>(
  name: string,
  config: Config,
  start: (started: Started<Config>) => Promise<Service>,
): Promise<void> {
  const { env, summary } = config;
  const logger = createLogger(name, env.LOG_LEVEL);
  logger.info(summary, "configuration");
  const metrics = createMetrics(env.REVISION);
  const {
    checks,
    documents = {},
    drainSeconds = 0,
    ...service
  } = await start({ config, logger, metrics, meter: storeMeters(metrics.registry) });
  // Last, because a ready replica gets requests immediately.
  const address = { host: env.HOST, port: env.INTERNAL_PORT };
  const internal = await startInternalServer({ ...address, metrics, logger, checks, documents });
  logger.info({ port: internal.port }, "listening");

  closeWithGrace(
    { delay: drainSeconds * 1000 + CLOSE_LIMIT_MS, logger: false },
    async ({ err, signal }) => {
      if (err) logger.fatal({ err }, "uncaught error");
      else logger.info({ signal }, "closing");
      leaving = true;
      internal.drain();
      service.drain?.();
      if (!err) await sleep(drainSeconds * 1000);
      await service.close();
      await internal.close();
    },
  );
}
