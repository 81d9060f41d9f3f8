import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@partner-connect/service-runtime/free-port";
import { type ProcessOptions, startProcess } from "../processes/start-process.ts";
import type { StackContext, SupervisedProcess } from "../processes/supervised-process.ts";

/** One of a service's processes. Its two ports, for the gateway and for health, stay the same when it restarts. */
export interface Replica {
  readonly name: string;
  readonly url: string;
  readonly internalUrl: string;
  start(context: StackContext): Promise<SupervisedProcess>;
}

const SERVICES = fileURLToPath(new URL("../../../../services", import.meta.url));

/** As in deploy/Dockerfile: by default Node lets the young generation grow to 128 MB, which buys a service nothing. */
const NODE_FLAGS = ["--max-semi-space-size=8"];

/** As there: with an arena for each thread, glibc keeps what one has freed from the others, some 15 MB. */
const MALLOC_ARENA_MAX = "1";

/** Keeps sources without their types from one start to the next. Node then needn't load the compiler that strips them: 25 MB. */
const COMPILE_CACHE = fileURLToPath(new URL("../../../../node_modules/.cache/node-compile", import.meta.url));

export interface ReplicasOptions {
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly apart?: boolean | undefined;
  /** Whether it has the internal port alone. Default: no. */
  readonly isInternal?: boolean;
}

/** `count` replicas of `service`, the name of a folder in services/, not started yet. */
export async function replicas(service: string, count: number, stack: ReplicasOptions): Promise<Replica[]> {
  const { dataDir, env } = stack;
  const shared = stack.apart ? [await freePort(), await freePort()] : [];
  return await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const [port = await freePort(), internalPort = await freePort()] = shared;
      const host = stack.apart ? `127.0.0.${index + 1}` : "127.0.0.1";
      const name = `${service}-${index + 1}`;
      const url = `http://${host}:${port}`;
      const internalUrl = `http://${host}:${internalPort}`;
      const options: ProcessOptions = {
        name,
        ...(!stack.isInternal && { url }),
        command: process.execPath,
        args: [...NODE_FLAGS, join(SERVICES, service, "src", "main.ts")],
        env: {
          NODE_COMPILE_CACHE: COMPILE_CACHE,
          MALLOC_ARENA_MAX,
          ...env,
          HOST: host,
          ...(!stack.isInternal && { PORT: String(port) }),
          INTERNAL_PORT: String(internalPort),
        },
        log: join(dataDir, "logs", `${name}.log`),
        serves: () => isReady(internalUrl),
      };
      return { name, url, internalUrl, start: (context: StackContext) => startProcess(options, context) };
    }),
  );
}

async function isReady(internalUrl: string): Promise<boolean> {
  const answer = await fetch(`${internalUrl}/readyz`);
  if (!answer.ok) throw new Error(`/readyz says ${(await answer.text()).trim()}`);
  return true;
}
