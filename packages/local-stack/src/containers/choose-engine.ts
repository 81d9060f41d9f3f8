import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Part, Watch } from "../processes/part.ts";
import { StartFailure } from "../processes/start-failure.ts";
import { step } from "../processes/step.ts";
import { containerEngine, type Engine } from "./engine.ts";

/** As they are named in DATA_DIR. */
export const STORES = ["postgres", "redis", "resource-server-redis"] as const;

export interface Choice {
  readonly dataDir: string;
  readonly store: (typeof STORES)[number];
  /** False: the data need not outlive the store; for tests. */
  readonly durable: boolean;
  readonly watch: Watch;
  readonly inContainer: (engine: Engine, volume: string | null) => Promise<Part>;
  readonly onThisMachine: () => Promise<Part>;
}

/**
 * Starts a store in a container where an engine answers, else on this machine itself. Data stay where they began:
 * DATA_DIR/STORE-volume names the volume of a container's, DATA_DIR/STORE is this machine's own.
 */
export async function startByChoice(choice: Choice): Promise<Part> {
  const { dataDir, store, watch } = choice;
  // Its image may have to be fetched.
  const inContainer = (to: Engine, volume: string | null) =>
    step(watch.report, `starting ${store} in a container`, () => choice.inContainer(to, volume));
  const onThisMachine = () => {
    watch.report(`starting ${store}`);
    return choice.onThisMachine();
  };
  const marker = volumeFile(dataDir, store);
  const inVolume = existsSync(marker);
  const here = existsSync(join(dataDir, store));
  const engine = here && !inVolume ? null : await containerEngine();
  if (!engine && inVolume) {
    throw new StartFailure(
      `${store}'s data are in a container's volume (${marker}): start Docker, or use another DATA_DIR`,
    );
  }
  if (!engine) return await onThisMachine();
  if (!choice.durable) return await inContainer(engine, null).catch(otherwise);
  const volume = inVolume ? (await readFile(marker, "utf8")).trim() : newVolume(store);
  return await inContainer(engine, volume).then(
    async (part) => {
      await writeFile(marker, `${volume}\n`);
      return part;
    },
    inVolume ? undefined : otherwise,
  );

  /** An engine without its images, as off-line, is no reason not to start. */
  function otherwise(error: Error): Promise<Part> {
    watch.signal?.throwIfAborted();
    watch.report(`${store} can't run in a container (${error.message.split("\n", 1)[0]}): running it without one`);
    return onThisMachine();
  }
}

export function volumeFile(dataDir: string, store: Choice["store"]): string {
  return join(dataDir, `${store}-volume`);
}

function newVolume(store: string): string {
  return `partner-connect-${store}-${randomBytes(6).toString("hex")}`;
}
