import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isPerson, sendPage } from "./page.ts";

export function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  noteFacts(request, { reason: "not_served" });
  return reply.code(404).send({ error: "not_found" });
}

export function unavailable(reply: FastifyReply): FastifyReply {
  const { request } = reply;
  noteFacts(request, { reason: "no_replica" });
  reply.code(503).header("retry-after", "1");
  return isPerson(request) ? sendPage(request, reply) : reply.send({ error: "unavailable" });
}
