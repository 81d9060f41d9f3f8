import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { compile } from "@fastify/proxy-addr";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The gateway's id, if a trusted proxy says it and it is a UUID, so that all logs name the same one; else one of our own. */
export function requestIds(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = compile([...trustedProxies]);
  return ({ headers, socket }) => {
    const named = headers["x-request-id"];
    const isGateways = typeof named === "string" && UUID.test(named) && isTrusted(socket.remoteAddress ?? "", 0);
    return isGateways ? named : randomUUID();
  };
}
