import { freePort, isFreeOnLocalhost } from "../processes/free-port.ts";
import { StartFailure } from "../processes/start-failure.ts";

/**
 * The port that was asked for, or for 0 any that is free. It must be free on both address families of `localhost`.
 * @throws StartFailure when it isn't
 */
export async function gatewayPort(asked: number): Promise<number> {
  if (asked === 0) return await freePort();
  const free = await isFreeOnLocalhost(asked).catch((error: Error) => {
    throw new StartFailure(`can't listen on port ${asked} (${error.message}); set PORT to another one`);
  });
  if (!free) throw new StartFailure(`port ${asked} is in use (by another local stack?); set PORT to another one`);
  return asked;
}
