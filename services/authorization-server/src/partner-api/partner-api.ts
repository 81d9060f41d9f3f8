import type { FastifyInstance } from "fastify";
import { answerClients } from "../token/client-endpoint.ts";
import { type ChangesOptions, changesRoute } from "./changes.route.ts";
import { connectionsRoute } from "./connections.route.ts";

/** What a partner asks about all its connections, by HTTP Basic. */
export async function partnerApi(app: FastifyInstance, options: ChangesOptions): Promise<void> {
  answerClients(app, "form");
  connectionsRoute(app);
  changesRoute(app, options);
}
