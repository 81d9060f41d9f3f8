import { createWriteStream, existsSync } from "node:fs";
import type { ContainerRuntimeClient } from "testcontainers";
import { containerSockets } from "../config.ts";
import { type Run, type StackContext, type SupervisedProcess, supervise } from "../processes.ts";

type Engine = ContainerRuntimeClient["container"];

let lookUp: Promise<Engine | null> | undefined;

/** The container engine of this machine, or null. The library, which takes a second, is loaded only where there is a socket. */
export function containerEngine(): Promise<Engine | null> {
  lookUp ??= (async () => {
    if (!containerSockets().some((socket) => socket.includes("://") || existsSync(socket))) return null;
    const { getContainerRuntimeClient } = await import("testcontainers");
    const client = await getContainerRuntimeClient().catch(() => null);
    return client?.container ?? null;
  })();
  return lookUp;
}

export interface ContainerOptions {
  readonly name: string;
  readonly image: string;
  readonly port: number;
  /** The address on this machine; stable across restarts. */
  readonly hostPort: number;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  /** The data folder in the container. */
  readonly target: string;
  /** The name of the volume that keeps the data, and of its container; null: they end with the container. */
  readonly volume: string | null;
  readonly log: string;
  readonly stopSignal: NodeJS.Signals;
  readonly url: (host: string) => string;
  readonly serves: (url: string) => Promise<unknown>;
}

/** Starts a container, and again, with its data, when it ends, until `stop`. testcontainers removes it when this process is killed. */
export async function startContainer(
  engine: Engine,
  options: ContainerOptions,
  context: StackContext,
): Promise<SupervisedProcess> {
  const { name, log, stopSignal, volume } = options;
  const { GenericContainer } = await import("testcontainers");
  const image = new GenericContainer(options.image)
    .withExposedPorts({ container: options.port, host: options.hostPort })
    .withEnvironment(options.env)
    .withCommand([...options.command])
    .withLogConsumer((stream) => stream.pipe(createWriteStream(log)));
  if (volume) {
    // A stack that was killed may have left a container there. Two servers on the same files would ruin them.
    const isMissing = (error: { statusCode?: number }) => error.statusCode === 404 || Promise.reject(error);
    await engine.getById(volume).remove({ force: true }).catch(isMissing);
    image.withBindMounts([{ source: volume, target: options.target }]).withName(volume);
  }
  const started = await image.start();
  const container = engine.getById(started.getId());
  const url = options.url(started.getHost());

  let isFirst = true;
  async function run(): Promise<Run> {
    if (!isFirst) await container.start();
    isFirst = false;
    const ended = (container.wait() as Promise<{ StatusCode: number }>).then(
      ({ StatusCode }) => `ended (exit ${StatusCode})`,
      (error: Error) => `can't be watched (${error.message})`,
    );
    const { State } = await container.inspect();
    return { pid: State.Pid, ended, kill: (signal) => void container.kill({ signal }).catch(() => {}) };
  }
  const remove = () => container.remove({ force: true, v: true }); // leaves named volumes
  const supervised = await supervise(
    { name, url, log, run, serves: () => options.serves(url), stopSignal },
    context,
  ).catch(async (error) => {
    await remove();
    throw error;
  });
  return {
    ...supervised,
    get pid() {
      return supervised.pid;
    },
    async stop() {
      await supervised.stop();
      await remove();
    },
  };
}
