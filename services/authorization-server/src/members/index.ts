import type { FastifyInstance } from "fastify";
import type { PageContext } from "../merchant-page/page-context.ts";
import { peopleRoutes } from "../merchant-page/people/index.ts";
import { invitationRoute, newAccountRoute } from "./invitation/invitation.route.ts";
import { shopPeople } from "./shop-people.ts";

export function membersRoutes(app: FastifyInstance, context: PageContext): void {
  peopleRoutes(app, context, shopPeople(context));
  invitationRoute(app, context);
  newAccountRoute(app, context);
}
