import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";

export function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  noteFacts(request, { reason: "not_served" });
  return reply.code(404).send({ error: "not_found" });
}

export function unavailable(reply: FastifyReply): FastifyReply {
  noteFacts(reply.request, { reason: "no_replica" });
  return reply.code(503).header("retry-after", "1").send({ error: "unavailable" });
}
