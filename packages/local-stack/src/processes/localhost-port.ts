import { createServer } from "node:net";
import { freePort, isFree } from "@partner-connect/service-runtime/free-port";
import { StartFailure } from "./start-failure.ts";

/** Of `localhost`: of both families. */
const HOSTS = ["127.0.0.1", "::1"];

export async function isFreeOnLocalhost(port: number): Promise<boolean> {
  const free = await Promise.all(HOSTS.map((host) => isFree(host, port)));
  return !free.includes(false);
}

/** The port, or for 0 any, on which this process can listen on `localhost`. @throws {StartFailure} when it can't */
export async function gatewayPort(asked: number): Promise<number> {
  if (asked === 0) return await freePort();
  for (const host of HOSTS) {
    if (await canListen(host, asked)) continue;
    throw new StartFailure(`port ${asked} is in use (by another local stack?); set PORT to another one`);
  }
  return asked;
}

/** False when a process listens there. @throws {StartFailure} when this process may not, as on port 80 */
function canListen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => {
      // This machine lacks the address family.
      if (error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT") resolve(true);
      else if (error.code === "EADDRINUSE") resolve(false);
      else reject(new StartFailure(`can't listen on port ${port} (${error.message}); set PORT to another one`));
    });
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}
