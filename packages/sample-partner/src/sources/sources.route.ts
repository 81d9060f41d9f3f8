import { InsufficientScope, PartnerConnectError, type SourceType } from "@partner-connect/partner-sdk";
import type { FastifyInstance } from "fastify";
import { notFound } from "../http/errors.ts";
import type { Sample } from "../sample.ts";
import { sendShop } from "../shops/shop.route.ts";
import { keepSource } from "./created-sources.ts";

interface SourceForm {
  readonly name?: string;
  readonly type?: string;
  readonly idempotency_key?: string;
}

export function sourcesRoute(app: FastifyInstance, sample: Sample): void {
  const { partnerConnect, shops, database } = sample;
  app.post<{ Params: { id: string }; Body: SourceForm }>(
    "/shops/:id/sources",
    { preHandler: app.csrfProtection },
    async (request, reply) => {
      const { id } = request.params;
      const { name = "", type = "", idempotency_key: idempotencyKey = "" } = request.body;
      if (!shops.find(id)) return notFound(reply);
      try {
        const source = await partnerConnect
          .shop(id)
          .createSource({ name, type: type as SourceType }, { idempotencyKey });
        keepSource(database, id, source);
        request.session.done = `${source.name} was created.`;
      } catch (error) {
        if (!(error instanceof PartnerConnectError)) throw error;
        // The plan has changed: the page shows what is granted now.
        if (!(error instanceof InsufficientScope)) {
          return sendShop(request, reply, sample, { refused: { name, type, problem: error.message } });
        }
      }
      return reply.redirect(`/shops/${id}`, 303);
    },
  );
}
