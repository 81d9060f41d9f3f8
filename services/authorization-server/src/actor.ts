import type { Actor } from "@partner-connect/audit";
import type { FastifyRequest } from "fastify";

/** The IP address and id of a request, which its audit records contain. */
export function originOf(request: FastifyRequest): Omit<Actor, "name"> {
  return { ip: request.ip, requestId: request.id };
}

export function merchantActor(request: FastifyRequest, merchant: { readonly id: string }): Actor {
  return { name: `merchant:${merchant.id}`, ...originOf(request) };
}

export function clientActor(request: FastifyRequest, clientId: string): Actor {
  return { name: `client:${clientId}`, ...originOf(request) };
}
