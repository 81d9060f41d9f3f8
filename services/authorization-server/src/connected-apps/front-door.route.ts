import type { FastifyInstance } from "fastify";
import { CONNECTED_APPS_PATH } from "../merchant-page/paths.ts";

/** The address alone: whoever typed it by hand is a merchant who looks for her apps. */
export function frontDoorRoute(app: FastifyInstance): void {
  app.get("/", (_request, reply) => reply.redirect(CONNECTED_APPS_PATH, 302));
}
