import { existsSync } from "node:fs";
import type { ContainerRuntimeClient } from "testcontainers";
import { containerSockets } from "../config.ts";

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
