import { createHash } from "node:crypto";
import { createWriteStream, existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ContainerRuntimeClient } from "testcontainers";
import { containerSockets } from "../config.ts";
import {
  type Run,
  type StackContext,
  StartFailure,
  type SupervisedProcess,
  supervise,
} from "../processes.ts";

const STORES = ["postgres", "redis", "resource-server-redis"] as const;

export interface StoreSpec {
  /** Also the name of the store's folder in DATA_DIR. */
  readonly name: (typeof STORES)[number];
  readonly dataDir: string;
  /** The port on this machine, which stays the same after a restart. */
  readonly port: number;
  readonly password: string;
  readonly log: string;
  /**
   * False for tests, whose data may be lost when the machine (not just the store) stops, or with
   * the container.
   */
  readonly durable: boolean;
}

interface StoreOptions {
  readonly startNatively: () => Promise<SupervisedProcess>;
  /** The following options are for a container. */
  readonly image: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  /** The data folder in the container. */
  readonly target: string;
  readonly stopSignal: NodeJS.Signals;
  readonly url: (host: string) => string;
  readonly serves: (url: string) => Promise<unknown>;
}

type Engine = ContainerRuntimeClient["container"];

let lookUp: Promise<Engine | null> | undefined;

/**
 * The container engine of this machine, or null. The library, which takes a second, is loaded only
 * where there is a socket.
 */
function containerEngine(): Promise<Engine | null> {
  lookUp ??= (async () => {
    if (!containerSockets().some((socket) => socket.includes("://") || existsSync(socket)))
      return null;
    const { getContainerRuntimeClient } = await import("testcontainers");
    const client = await getContainerRuntimeClient().catch(() => null);
    return client?.container ?? null;
  })();
  return lookUp;
}

/**
 * Starts a store in a container or as a process, whichever already has its data. A store without
 * data gets a container if a container engine is available.
 * @throws {StartFailure} if the data are in a container's volume, and there is no engine
 */
export async function startStore(spec: StoreSpec, context: StackContext, options: StoreOptions) {
  const { name, dataDir, durable } = spec;
  const file = volumeFile(dataDir, name);
  const hasVolume = existsSync(file);
  const engine = existsSync(join(dataDir, name)) && !hasVolume ? null : await containerEngine();
  if (hasVolume && !engine) {
    throw new StartFailure(
      `${name}'s data are in a container's volume (${file}): start Docker, or use another DATA_DIR`,
    );
  }
  if (engine) {
    const ofFolder = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
    const volume = durable ? `partner-connect-${name}-${ofFolder}` : null;
    try {
      context.report(`starting ${name} in a container`);
      const started = await startContainer(engine, spec, volume, options, context);
      if (volume) await writeFile(file, `${volume}\n`);
      return started;
    } catch (error) {
      context.signal?.throwIfAborted();
      // Start without a container if the engine can't get the image, for example without a network.
      if (hasVolume) throw error;
      const [why] = (error as Error).message.split("\n", 1);
      context.report(`${name} can't run in a container (${why}): running it without one`);
    }
  }
  context.report(`starting ${name}`);
  return await options.startNatively();
}

/**
 * Starts a container, and restarts it with its data until `stop`. testcontainers removes it when
 * this process is killed. The volume, which has the container's name, keeps the data. Without a
 * volume (null) the data end with the container.
 */
async function startContainer(
  engine: Engine,
  { name, port, log }: StoreSpec,
  volume: string | null,
  options: StoreOptions,
  context: StackContext,
): Promise<SupervisedProcess> {
  const { GenericContainer } = await import("testcontainers");
  const image = new GenericContainer(options.image)
    .withExposedPorts({ container: options.port, host: port })
    .withEnvironment(options.env)
    .withCommand([...options.command])
    .withLogConsumer((stream) => stream.pipe(createWriteStream(log)));
  if (volume) {
    // A killed stack may have left its container. Two servers on the same files would corrupt them.
    const isMissing = (error: { statusCode?: number }) =>
      error.statusCode === 404 || Promise.reject(error);
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
    return {
      pid: State.Pid,
      ended,
      kill: (signal) => void container.kill({ signal }).catch(() => {}),
    };
  }
  // `v` removes only anonymous volumes.
  const remove = async () => void (await container.remove({ force: true, v: true }));
  const { stopSignal } = options;
  const serves = () => options.serves(url);
  return await supervise({ name, url, log, run, serves, stopSignal, remove }, context);
}

const volumeFile = (dataDir: string, store: StoreSpec["name"]) => join(dataDir, `${store}-volume`);

/** Removes the containers' volumes of this DATA_DIR, whose stack has stopped. */
export async function removeVolumes(dataDir: string): Promise<void> {
  for (const store of STORES) {
    const volume = await readFile(volumeFile(dataDir, store), "utf8").catch(() => null);
    if (volume !== null)
      await (await containerEngine())?.dockerode.getVolume(volume.trim()).remove();
  }
}
