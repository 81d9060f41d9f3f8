import type { PositionWatch } from "@partner-connect/connections/changes";
import { validateRequests } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { prepareClientEndpoints } from "../clients/client-endpoint.ts";
import { TokenError } from "../clients/token-error.ts";
import { changesRoute } from "./changes.route.ts";
import { connectionsRoute } from "./connections.route.ts";

/** Endpoints about all connections of a client, with HTTP Basic. */
export async function partnerApi(
  app: FastifyInstance,
  { positions }: { positions: PositionWatch },
): Promise<void> {
  prepareClientEndpoints(app, "form");
  validateRequests(
    app,
    (param, problem) =>
      new TokenError("invalid_request", `${param} ${problem}.`, "invalid_parameter", { param }),
  );
  connectionsRoute(app);
  changesRoute(app, positions);
}
