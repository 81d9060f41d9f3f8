import { connect, createServer } from "node:net";

/**
 * The range of ports. It is below the ephemeral ports (Linux 32768, macOS 49152), which outgoing
 * connections could take while a process restarts.
 */
const FIRST = 12_000;
const LAST = 32_000;

/** The next port to try. Each process starts with another one. */
let next = FIRST + ((process.pid * 97) % (LAST - FIRST));

/**
 * A free port of 127.0.0.1, returned once per process and, on Linux, to no other process until this
 * one ends.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next;
    next = port + 1 < LAST ? port + 1 : FIRST;
    if ((await claimPort(port)) && (await isFree("127.0.0.1", port))) return port;
  }
}

/**
 * Takes the port's name in Linux's abstract socket namespace, which one process can hold until it
 * ends. Without it two processes that start at once may choose the same port, because it is free
 * until one listens. Other systems have no such namespace, so every claim succeeds. See {@link
 * isFree}.
 */
export function claimPort(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const holder = createServer().unref();
    holder.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code !== "EADDRINUSE"));
    holder.listen(`\0partner-connect-port-${port}`, () => resolve(true));
  });
}

/** Errors that mean that no process listens, or that this machine lacks the address family. */
const NOBODY = ["ECONNREFUSED", "EADDRNOTAVAIL", "EAFNOSUPPORT", "ENETUNREACH"];

/**
 * True if no process listens. Connects, because trying to listen could collide with the process
 * that the port is for.
 */
export function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(false);
    });
    socket.once("error", ({ code = "" }: NodeJS.ErrnoException) => resolve(NOBODY.includes(code)));
  });
}
