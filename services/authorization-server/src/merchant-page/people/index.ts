import type { FastifyInstance } from "fastify";
import type { PageContext } from "../page-context.ts";
import { inviteRoute } from "./invite.route.ts";
import { peopleRoute } from "./people.route.ts";
import type { People, PeoplePages } from "./people-pages.ts";
import { removalRoute } from "./removal.route.ts";
import { roleRoute } from "./role.route.ts";

/** Who belongs to a shop or a client: the list, invitations, roles, removals. */
export function peopleRoutes<Own extends People>(
  app: FastifyInstance,
  context: PageContext,
  pages: PeoplePages<Own>,
): void {
  peopleRoute(app, context, pages);
  inviteRoute(app, context, pages);
  removalRoute(app, context, pages);
  roleRoute(app, context, pages);
}
