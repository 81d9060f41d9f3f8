import { isIP } from "node:net";
import type { FastifyInstance } from "fastify";

/** `192.0.2.7:5678`, `[2001:db8::1]:5678`, `[2001:db8::1]`: Azure's gateways append the port. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;

/**
 * Returns the addresses of `X-Forwarded-For` without ports. A value that is not an address ends the list, read from the right, where the
 * nearest proxy appends: the request counts as that proxy's, so nobody gets a rate limit per made-up name.
 */
export function forwardedAddresses(header: string): string[] {
  const addresses = header.split(",").map((entry) => {
    const [, v6, v4] = WITH_PORT.exec(entry.trim()) ?? [];
    return v6 ?? v4 ?? entry.trim();
  });
  return addresses.slice(addresses.findLastIndex((address) => isIP(address) === 0) + 1);
}

/** Must run before anything reads `request.ip`. */
export function cleanForwardedFor(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw: { headers } }, _reply, done) => {
    const header = headers["x-forwarded-for"];
    if (header !== undefined) headers["x-forwarded-for"] = forwardedAddresses(String(header)).join(", ");
    done();
  });
}
