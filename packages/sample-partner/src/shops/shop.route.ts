import type { FastifyInstance } from "fastify";
import { notFound } from "../http/errors.ts";
import type { Sample } from "../sample.ts";
import { sendShop } from "./shop-page.ts";

/** A shop: its channels, its responses, how far the sync is. */
export function shopRoute(app: FastifyInstance, sample: Sample): void {
  app.get<{ Params: { id: string } }>("/shops/:id", async (request, reply) =>
    sample.shops.find(request.params.id) ? sendShop(request, reply, sample) : notFound(reply),
  );
}
