import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StartFailure } from "../processes/start-failure.ts";
import { type StackContext, type SupervisedProcess, step } from "../processes/supervised-process.ts";
import { containerEngine, type Engine } from "./start-container.ts";

export const STORES = ["postgres", "redis", "resource-server-redis"] as const;

export interface StorePlace {
  readonly dataDir: string;
  readonly port: number;
  readonly password: string;
  readonly log: string;
  /** False: the data may be lost when the machine (not just the store) stops, or with its container; for tests. */
  readonly durable: boolean;
}

interface StoreStart extends Pick<StorePlace, "dataDir" | "durable"> {
  readonly store: (typeof STORES)[number];
  readonly context: StackContext;
  readonly inContainer: (engine: Engine, volume: string | null) => Promise<SupervisedProcess>;
  readonly onThisMachine: () => Promise<SupervisedProcess>;
}

/** Starts a store in a container where an engine answers, or here, where its data are. @throws {StartFailure} without the engine */
export async function startStore({
  dataDir,
  store,
  durable,
  context,
  ...start
}: StoreStart): Promise<SupervisedProcess> {
  const inContainer = (engine: Engine, volume: string | null) =>
    // Its image may have to be fetched, which takes a while.
    step(context.report, `starting ${store} in a container`, () => start.inContainer(engine, volume));
  const onThisMachine = () => {
    context.report(`starting ${store}`);
    return start.onThisMachine();
  };
  /** An engine that can't get the image, as without a network, is no reason not to start. */
  const onThisMachineAfter = (error: Error) => {
    context.signal?.throwIfAborted();
    context.report(`${store} can't run in a container (${error.message.split("\n", 1)[0]}): running it without one`);
    return onThisMachine();
  };

  const file = volumeFile(dataDir, store);
  const hasVolume = existsSync(file);
  const isOnThisMachine = existsSync(join(dataDir, store)) && !hasVolume;
  const engine = isOnThisMachine ? null : await containerEngine();
  if (!engine && hasVolume) {
    throw new StartFailure(
      `${store}'s data are in a container's volume (${file}): start Docker, or use another DATA_DIR`,
    );
  }
  if (!engine) return await onThisMachine();
  if (!durable) return await inContainer(engine, null).catch(onThisMachineAfter);
  if (hasVolume) return await inContainer(engine, (await readFile(file, "utf8")).trim());
  const volume = `partner-connect-${store}-${randomBytes(6).toString("hex")}`;
  const started = await inContainer(engine, volume).catch((error: Error) => error);
  if (started instanceof Error) return await onThisMachineAfter(started);
  await writeFile(file, `${volume}\n`);
  return started;
}

export function volumeFile(dataDir: string, store: StoreStart["store"]): string {
  return join(dataDir, `${store}-volume`);
}
