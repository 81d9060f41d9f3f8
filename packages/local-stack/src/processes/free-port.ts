import { createServer } from "node:net";

/**
 * Below the ports that systems hand to outgoing connections (Linux 32768, macOS 49152): while a child is being
 * restarted, no client's socket can take its port, nor connect to itself there.
 */
const FIRST = 12_000;
const LAST = 32_000;

/**
 * Where this process goes on looking. What is handed out is listened on a moment later only, so no port is handed out
 * twice here, and processes that look at the same time begin far apart.
 */
let next = FIRST + ((process.pid * 97) % (LAST - FIRST));

/** A TCP port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next;
    next = port + 1 < LAST ? port + 1 : FIRST;
    if (await isFree("127.0.0.1", port)) return port;
  }
}

/** False when somebody listens there; an address family that the machine lacks is nobody's. */
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
