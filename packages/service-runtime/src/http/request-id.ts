import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { compile } from "@fastify/proxy-addr";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The id of a request is the gateway's, so that its logs and ours name the same one. It is believed only if a trusted proxy says it
 * and it is a UUID; anybody else's `x-request-id` could forge or repeat an id, so such a request gets one of our own.
 */
export function requestIds(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = compile([...trustedProxies]);
  return ({ headers, socket }) => {
    const named = headers["x-request-id"];
    const isGateways = typeof named === "string" && UUID.test(named) && isTrusted(socket.remoteAddress ?? "", 0);
    return isGateways ? named : randomUUID();
  };
}
