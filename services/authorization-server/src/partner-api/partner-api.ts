import type { FastifyPluginAsync } from "fastify";
import { answerClients } from "../token/client-endpoint.ts";
import { changesRoute } from "./changes.route.ts";
import { connectionsRoute } from "./connections.route.ts";
import type { PartnerApiOptions } from "./partner-api-options.ts";

/** What a partner asks about all its connections, by HTTP Basic. */
export const partnerApi: FastifyPluginAsync<PartnerApiOptions> = async (app, options) => {
  answerClients(app, "form");
  connectionsRoute(app, options);
  changesRoute(app, options);
};
