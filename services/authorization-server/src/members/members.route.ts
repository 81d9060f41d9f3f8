import { membersOfShop, pendingInvitations } from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply } from "fastify";
import { sendMerchantPage } from "../merchant-page/frame/send-merchant-page.ts";
import { beforeDeadline, type PageContext } from "../merchant-page/page-context.ts";
import { invitationsPath, membersPath } from "../merchant-page/paths.ts";
import { type MembersView, membersView } from "./members.view.ts";
import { type OwnedShop, ownedShopStep } from "./owned-shop.ts";

export function membersRoute(app: FastifyInstance, context: PageContext): void {
  app.get(
    membersPath(":shopId"),
    ownedShopStep(context, async (request, reply, owned) => {
      const { done } = request.query;
      const isKnown = done === "removed" || done === "withdrawn";
      return await showMembersPage(context, reply, owned, isKnown ? { done } : {});
    }),
  );
}

export type MembersMessage = Pick<MembersView, "problem" | "done" | "email" | "role">;

export async function showMembersPage(
  { sql, formTokens, signIn }: PageContext,
  reply: FastifyReply,
  { merchant, shop }: OwnedShop,
  message: MembersMessage = {},
  status = 200,
): Promise<FastifyReply> {
  const [members, invitations] = await beforeDeadline(
    Promise.all([membersOfShop(sql, shop.id), pendingInvitations(sql, shop.id)]),
  );
  // For the forms of the page that name no person: adding and withdrawing.
  const token = formTokens.issue(reply, invitationsPath(shop.id));
  const view = { merchant, shop, members, invitations, token, ...message };
  const account = signIn.account(reply, merchant);
  return sendMerchantPage(reply, (locale) => membersView(view, locale), { status, account });
}
