import type { FastifyInstance } from "fastify";
import type { Sample } from "../sample.ts";
import { sendShop } from "./shop-page.ts";

/** A shop: its channels, its responses, how far the sync is. */
export function shopRoute(app: FastifyInstance, sample: Sample): void {
  app.get<{ Params: { id: string } }>("/shops/:id", async (request, reply) => sendShop(request, reply, sample));
}
