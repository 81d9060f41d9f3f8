import { membersOfShop, pendingInvitations } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sendMerchantPage } from "../merchant-page/frame/send-merchant-page.ts";
import { beforeDeadline } from "../merchant-page/page-deadline.ts";
import { type MembersView, membersView } from "./members.view.ts";
import type { MembersContext } from "./members-context.ts";
import { invitationsPath } from "./members-paths.ts";
import type { OwnedShop } from "./owned-shop.ts";

/** What the page says and is filled with, beyond the lists. */
export type MembersMessage = Pick<MembersView, "problem" | "done" | "email" | "role">;

export async function showMembersPage(
  context: MembersContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { merchant, shop }: OwnedShop,
  message: MembersMessage = {},
  status = 200,
): Promise<FastifyReply> {
  const [members, invitations] = await beforeDeadline(
    Promise.all([membersOfShop(context.sql, shop.id), pendingInvitations(context.sql, shop.id)]),
  );
  const view = {
    merchant,
    shop,
    members,
    invitations,
    // The forms of the page that name no person: adding and withdrawing.
    token: context.formTokens.issue(request, reply, invitationsPath(shop.id)),
    account: context.signIn.account(request, reply, merchant),
    ...message,
  };
  return sendMerchantPage(reply, (locale) => membersView(view, locale), { status });
}
