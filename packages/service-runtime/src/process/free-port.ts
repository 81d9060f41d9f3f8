import { connect, createServer } from "node:net";

/** Below the ports of outgoing connections (Linux 32768, macOS 49152), which could take a port while its process is started again. */
const FIRST = 12_000;
const LAST = 32_000;

/** Other processes begin far from here. */
let next = FIRST + ((process.pid * 97) % (LAST - FIRST));

/** A port of 127.0.0.1 that is free until the caller listens: until this process ends, no call returns it again, on Linux of any process. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next;
    next = port + 1 < LAST ? port + 1 : FIRST;
    if ((await claimPort(port)) && (await isFree("127.0.0.1", port))) return port;
  }
}

/**
 * Takes the port's name in Linux's abstract socket namespace, which one process can have, until it ends. Without it two processes
 * that start at once may choose the same port, as it is free until one of them listens. Other systems have no such names, so there
 * every claim succeeds. It looks at names alone: see {@link isFree}.
 */
export function claimPort(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const holder = createServer().unref();
    holder.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code !== "EADDRINUSE"));
    holder.listen(`\0partner-connect-port-${port}`, () => resolve(true));
  });
}

/** Nobody listens there: also in an address family that this machine lacks. */
const NOBODY = ["ECONNREFUSED", "EADDRNOTAVAIL", "EAFNOSUPPORT", "ENETUNREACH"];

/** Whether no process listens there. It connects: an attempt to listen could meet that of the process that the port is for. */
export function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(false);
    });
    socket.once("error", ({ code = "" }: NodeJS.ErrnoException) => resolve(NOBODY.includes(code)));
  });
}
