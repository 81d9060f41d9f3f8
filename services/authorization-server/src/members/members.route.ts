import type { FastifyInstance } from "fastify";
import type { MembersContext } from "./members-context.ts";
import { showMembersPage } from "./members-page.ts";
import { MEMBERS_PATTERN } from "./members-paths.ts";
import { ownedShopStep } from "./owned-shop.ts";

export function membersRoute(app: FastifyInstance, context: MembersContext): void {
  app.get(
    MEMBERS_PATTERN,
    ownedShopStep(context, async (request, reply, owned) => {
      const { done } = request.query;
      const isKnown = done === "removed" || done === "withdrawn";
      return await showMembersPage(context, request, reply, owned, isKnown ? { done } : {});
    }),
  );
}
