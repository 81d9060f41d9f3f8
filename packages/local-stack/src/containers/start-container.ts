import { createWriteStream, existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ContainerRuntimeClient, StartedTestContainer } from "testcontainers";
import { containerSockets } from "../config.ts";
import { StartFailure, untilItServes } from "../processes/start-failure.ts";
import type { StackContext, SupervisedProcess } from "../processes/supervised-process.ts";

export type Engine = ContainerRuntimeClient["container"];

let lookUp: Promise<Engine | null> | undefined;

/** The container engine of this machine, or null. It is looked for once, and the library is loaded only where there is a socket. */
export function containerEngine(): Promise<Engine | null> {
  lookUp ??= findEngine();
  return lookUp;
}

async function findEngine(): Promise<Engine | null> {
  if (!containerSockets().some((socket) => socket.includes("://") || existsSync(socket))) return null;
  const { getContainerRuntimeClient } = await import("testcontainers");
  try {
    return (await getContainerRuntimeClient()).container;
  } catch {
    return null;
  }
}

export interface ContainerOptions {
  readonly name: string;
  readonly image: string;
  readonly port: number;
  /** Where it listens on this machine; the same after a restart. */
  readonly hostPort: number;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly memoryBytes?: number;
  /** Keeps the data; null: they end with the container. */
  readonly volume: { readonly name: string; readonly target: string } | null;
  readonly log: string;
  readonly url: (host: string) => string;
  readonly serves: (url: string) => Promise<boolean>;
}

type Container = ReturnType<Engine["getById"]>;

const VOLUME_LABEL = "partner-connect.volume";

/** Starts a container, and again, with its data, when it ends by itself, until `stop`. @throws {StartFailure} if it does not serve */
export async function startContainer(
  engine: Engine,
  options: ContainerOptions,
  context: StackContext,
): Promise<SupervisedProcess> {
  if (options.volume) await removeLeftOver(engine, options.volume.name);
  const started = await create(options);
  const container = engine.getById(started.getId());
  const url = options.url(started.getHost());
  let pid = await pidOf(container);
  let stopping = false;

  async function supervise(): Promise<void> {
    while (!stopping) {
      const how = await waitForEnd(container);
      if (stopping) return;
      context.report(`${options.name} ${how}, starting it again`);
      pid = undefined;
      while (!stopping && pid === undefined) {
        // Fails while the engine itself is being restarted.
        await container.start().catch(() => sleep(250));
        pid = await pidOf(container).catch(() => undefined);
      }
      context.changed();
    }
  }

  const supervision = supervise();
  async function stop(): Promise<void> {
    stopping = true;
    await started.stop({ timeout: 10_000, remove: true, removeVolumes: true });
    await supervision;
  }

  const why = await untilItServes(() => options.serves(url), new Promise(() => {}), context.signal);
  if (why !== null) {
    await stop();
    throw new StartFailure(`${options.name} ${why}; see ${options.log}`);
  }
  return {
    name: options.name,
    url,
    get pid() {
      return pid;
    },
    stop,
  };
}

async function create(options: ContainerOptions): Promise<StartedTestContainer> {
  const { GenericContainer } = await import("testcontainers");
  const { volume } = options;
  const container = new GenericContainer(options.image)
    .withExposedPorts({ container: options.port, host: options.hostPort })
    .withEnvironment(options.env)
    .withLogConsumer((stream) => stream.pipe(createWriteStream(options.log)));
  if (options.command.length > 0) container.withCommand([...options.command]);
  if (options.memoryBytes !== undefined) container.withResourcesQuota({ memory: options.memoryBytes / 1024 ** 3 });
  if (volume) {
    container.withBindMounts([{ source: volume.name, target: volume.target }]);
    container.withLabels({ [VOLUME_LABEL]: volume.name });
  }
  return await container.start();
}

/** A stack that was killed may have left a container on the volume. Two servers on the same files would ruin them. */
async function removeLeftOver(engine: Engine, volume: string): Promise<void> {
  const filters = { label: [`${VOLUME_LABEL}=${volume}`] };
  for (const { Id } of await engine.dockerode.listContainers({ all: true, filters })) {
    await engine.getById(Id).remove({ force: true, v: false });
  }
}

/** Resolves when the container has ended; says how. */
async function waitForEnd(container: Container): Promise<string> {
  try {
    const { StatusCode } = (await container.wait()) as { StatusCode: number };
    return `ended (exit ${StatusCode})`;
  } catch (error) {
    return `can't be watched (${(error as Error).message})`;
  }
}

/** The id of its main process, on the machine where the engine runs. */
async function pidOf(container: Container): Promise<number | undefined> {
  return (await container.inspect()).State.Pid || undefined;
}
