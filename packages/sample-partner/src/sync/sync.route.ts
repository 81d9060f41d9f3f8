import type { FastifyInstance } from "fastify";
import { notFound } from "../http/errors.ts";
import type { Sample } from "../sample.ts";

const LONGEST_MS = 3000;

export function syncRoute(app: FastifyInstance, { shops, syncs }: Sample): void {
  app.post<{ Params: { id: string } }>(
    "/shops/:id/sync",
    { preHandler: app.csrfProtection },
    async (request, reply) => {
      const { id } = request.params;
      if (!shops.find(id)) return notFound(reply);
      await syncs.run(id, LONGEST_MS);
      return reply.redirect(`/shops/${id}`, 303);
    },
  );
}
