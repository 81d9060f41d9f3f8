import { createServer } from "node:net";
import { StartFailure } from "./start-failure.ts";

/** Below the ports of outgoing connections (Linux 32768, macOS 49152), which could take a port while its process is started again. */
const FIRST = 12_000;
const LAST = 32_000;

/** This process returns no port twice, as it is free until somebody listens; others begin far from here. */
let next = FIRST + ((process.pid * 97) % (LAST - FIRST));

export async function freePort(): Promise<number> {
  for (;;) {
    const port = next;
    next = port + 1 < LAST ? port + 1 : FIRST;
    if (await isFree("127.0.0.1", port)) return port;
  }
}

export async function isFreeOnLocalhost(port: number): Promise<boolean> {
  return (await isFree("127.0.0.1", port)) && (await isFree("::1", port));
}

/** The port, or for 0 any, that is free on both families of `localhost`. @throws {StartFailure} when it isn't */
export async function gatewayPort(asked: number): Promise<number> {
  if (asked === 0) return await freePort();
  const free = await isFreeOnLocalhost(asked).catch((error: Error) => {
    throw new StartFailure(`can't listen on port ${asked} (${error.message}); set PORT to another one`);
  });
  if (!free) throw new StartFailure(`port ${asked} is in use (by another local stack?); set PORT to another one`);
  return asked;
}

/** False when a process listens there. In an address family that the machine lacks, every port is free. */
export function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT") resolve(true);
      else if (error.code === "EADDRINUSE") resolve(false);
      else reject(error);
    });
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}
