import { existsSync } from "node:fs";
import type { ContainerRuntimeClient } from "testcontainers";
import { containerSockets } from "../config.ts";

export type Engine = ContainerRuntimeClient["container"];

let asked: Promise<Engine | null> | undefined;

/** The container engine of this machine, or null. Only where there is a socket is the library loaded, and asked once. */
export function containerEngine(): Promise<Engine | null> {
  asked ??= ask();
  return asked;
}

async function ask(): Promise<Engine | null> {
  if (!containerSockets().some((socket) => socket.includes("://") || existsSync(socket))) return null;
  const { getContainerRuntimeClient } = await import("testcontainers");
  try {
    return (await getContainerRuntimeClient()).container;
  } catch {
    return null;
  }
}
