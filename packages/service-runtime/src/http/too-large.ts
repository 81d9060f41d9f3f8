import type { FastifyInstance } from "fastify";

/**
 * A body that is too large is refused before it is read. Fastify closes the connection with the answer; a gateway that is
 * still sending then finds it reset, never reads the answer, and says that the service is away. So the connection stays, and
 * Node reads the rest and drops it: no more than a gateway lets through, and no longer than a request may take.
 */
export function answerTooLarge(app: FastifyInstance): void {
  app.addHook("onError", (_request, reply, error, done) => {
    if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") reply.removeHeader("connection");
    done();
  });
}
