import { normalizeIP } from "@fastify/rate-limit";
import type { FastifyRequest } from "fastify";
import { passwordsBusy } from "../errors.ts";

/**
 * Requests of this replica that hash a password or wait for it. A hash is some 20 ms of a core, four at once: the last waits less than a
 * second.
 */
const MAX_AT_ONCE = 32;

/** Of one network, so that others get in too. */
const MAX_OF_NETWORK = 6;

/** Runs `work`, which hashes a password. @throws {HttpError} 503 if too many are hashed already, before anything is done or counted */
export type PasswordQueue = <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>;

export function passwordQueue(): PasswordQueue {
  const underWay: string[] = [];
  return async (request, work) => {
    const network = normalizeIP(request.ip);
    const own = underWay.filter((each) => each === network).length;
    if (underWay.length >= MAX_AT_ONCE || own >= MAX_OF_NETWORK) throw passwordsBusy();
    underWay.push(network);
    try {
      return await work();
    } finally {
      underWay.splice(underWay.indexOf(network), 1);
    }
  };
}
