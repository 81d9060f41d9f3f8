import type { FastifyReply, FastifyRequest } from "fastify";

export function notFound(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.code(404).send({ error: "not_found" });
}

export function unavailable(reply: FastifyReply): FastifyReply {
  return reply.code(503).header("retry-after", "1").send({ error: "unavailable" });
}
