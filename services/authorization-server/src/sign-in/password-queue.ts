import type { FastifyRequest } from "fastify";
import { unavailable } from "../errors.ts";
import { sourceOf } from "./confirm-password.ts";
import type { knownSources } from "./known-devices.ts";

/**
 * Maximum number of requests per replica that hash a password or wait to do so. A hash takes some
 * 20 ms of a core, and four run at once, so the last waits less than a second.
 */
const MAX_AT_ONCE = 32;

/** The part of `MAX_AT_ONCE` that is reserved for devices and networks with a recent sign-in. */
const RESERVED = 8;

/** Maximum number of requests per network that hash a password or wait to do so. */
const MAX_OF_NETWORK = 6;

/**
 * Runs `work`, which hashes a password.
 * @throws {HttpError} 503 if the queue is full, before anything is done or counted
 */
export type PasswordQueue = <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>;

export function passwordQueue(
  sources: Pick<ReturnType<typeof knownSources>, "isKnown">,
): PasswordQueue {
  const underWay: string[] = [];
  return async (request, work) => {
    const source = sourceOf(request);
    const isScarce = underWay.length >= MAX_AT_ONCE - RESERVED;
    const most = isScarce && (await sources.isKnown(source)) ? MAX_AT_ONCE : MAX_AT_ONCE - RESERVED;
    const own = underWay.filter((each) => each === source.network).length;
    if (underWay.length >= most || own >= MAX_OF_NETWORK) throw unavailable("passwords_busy");
    underWay.push(source.network);
    try {
      return await work();
    } finally {
      underWay.splice(underWay.indexOf(source.network), 1);
    }
  };
}
