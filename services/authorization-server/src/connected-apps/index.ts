import type { FastifyInstance } from "fastify";
import { connectedAppsRoute } from "./connected-apps.route.ts";
import type { ConnectedAppsContext } from "./connected-apps-context.ts";
import { disconnectRoute } from "./disconnect.route.ts";
import { frontDoorRoute } from "./front-door.route.ts";

/** The apps connected with a merchant's shops, and Disconnect. */
export function connectedAppsRoutes(app: FastifyInstance, context: ConnectedAppsContext): void {
  connectedAppsRoute(app, context);
  disconnectRoute(app, context);
  frontDoorRoute(app);
}
