import type { FastifyInstance } from "fastify";
import type { PageContext } from "../merchant-page/page-context.ts";
import { invitationRoute, newAccountRoute } from "./invitation/invitation.route.ts";
import { inviteRoute } from "./invite.route.ts";
import { membersRoute } from "./members.route.ts";
import { removalRoute } from "./removal.route.ts";

export function membersRoutes(app: FastifyInstance, context: PageContext): void {
  membersRoute(app, context);
  inviteRoute(app, context);
  removalRoute(app, context);
  invitationRoute(app, context);
  newAccountRoute(app, context);
}
