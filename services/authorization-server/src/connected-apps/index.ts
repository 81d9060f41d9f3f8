import type { FastifyInstance } from "fastify";
import type { PageContext } from "../merchant-page/page-context.ts";
import { connectedAppsRoute } from "./connected-apps.route.ts";
import { disconnectRoute } from "./disconnect.route.ts";

export function connectedAppsRoutes(app: FastifyInstance, context: PageContext): void {
  connectedAppsRoute(app, context);
  disconnectRoute(app, context);
}
