import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type StackContext, StartFailure, type SupervisedProcess } from "../processes.ts";
import { type ContainerOptions, containerEngine, startContainer } from "./container.ts";

export const STORES = ["postgres", "redis", "resource-server-redis"] as const;

export interface StorePlace {
  /** Also the name of its folder in DATA_DIR. */
  readonly name: (typeof STORES)[number];
  readonly dataDir: string;
  readonly port: number;
  readonly password: string;
  readonly log: string;
  /** False, for tests: the data may be lost when the machine (not just the store) stops, or with its container. */
  readonly durable: boolean;
}

interface StoreOptions
  extends Pick<ContainerOptions, "image" | "port" | "env" | "command" | "target" | "stopSignal" | "url" | "serves"> {
  readonly onThisMachine: () => Promise<SupervisedProcess>;
}

/** Starts a store in a container where an engine answers, or here, where its data are. @throws {StartFailure} without the engine */
export async function startStore(
  { name, dataDir, durable, log, port: hostPort }: StorePlace,
  context: StackContext,
  { onThisMachine, ...options }: StoreOptions,
): Promise<SupervisedProcess> {
  const file = volumeFile(dataDir, name);
  const hasVolume = existsSync(file);
  const engine = existsSync(join(dataDir, name)) && !hasVolume ? null : await containerEngine();
  if (hasVolume && !engine) {
    throw new StartFailure(
      `${name}'s data are in a container's volume (${file}): start Docker, or use another DATA_DIR`,
    );
  }
  if (engine) {
    const newVolume = durable ? `partner-connect-${name}-${randomBytes(6).toString("hex")}` : null;
    const volume = hasVolume ? (await readFile(file, "utf8")).trim() : newVolume;
    try {
      context.report(`starting ${name} in a container`);
      const started = await startContainer(engine, { ...options, name, hostPort, volume, log }, context);
      if (volume) await writeFile(file, `${volume}\n`);
      return started;
    } catch (error) {
      context.signal?.throwIfAborted();
      // An engine that can't get the image, as without a network, is no reason not to start.
      if (hasVolume) throw error;
      const [why] = (error as Error).message.split("\n", 1);
      context.report(`${name} can't run in a container (${why}): running it without one`);
    }
  }
  context.report(`starting ${name}`);
  return await onThisMachine();
}

export function volumeFile(dataDir: string, store: StorePlace["name"]): string {
  return join(dataDir, `${store}-volume`);
}
