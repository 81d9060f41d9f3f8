import { DirectoryError, type Member, membersOfShop, removeMember } from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply } from "fastify";
import { notFoundPage } from "../merchant-page/errors/error-page.ts";
import { redirectTo, sendMerchantPage } from "../merchant-page/frame/send-merchant-page.ts";
import { beforeDeadline } from "../merchant-page/page-deadline.ts";
import { CONNECTED_APPS_PATH, membersPath } from "../merchant-page/paths.ts";
import type { MemberProblem } from "../merchant-page/texts/texts.ts";
import { type MembersContext, originOf } from "./members-context.ts";
import { showMembersPage } from "./members-page.ts";
import { REMOVAL_PATTERN, removalPath } from "./members-paths.ts";
import { type OwnedShop, type OwnedShopRequest, ownedShopStep } from "./owned-shop.ts";
import { removalView } from "./removal.view.ts";

/** A page that asks for confirmation, then the removal. */
export function removalRoute(app: FastifyInstance, context: MembersContext): void {
  const { sql, formTokens } = context;

  app.get(
    REMOVAL_PATTERN,
    ownedShopStep(context, async (request, reply, owned) => {
      const member = await memberOf(context, request, owned);
      return member ? showRemovalPage(context, request, reply, owned, member) : notFoundPage(reply);
    }),
  );

  app.post(
    REMOVAL_PATTERN,
    ownedShopStep(context, async (request, reply, owned) => {
      const { merchant, shop } = owned;
      const member = await memberOf(context, request, owned);
      if (!member) return notFoundPage(reply);
      const { merchantId } = member;
      if (!formTokens.isValid(request, removalPath(shop.id, merchantId))) {
        return showRemovalPage(context, request, reply, owned, member, "out_of_date", 403);
      }
      try {
        const removal = { shopId: shop.id, merchantId, byOwner: merchant.id };
        const actor = { name: `merchant:${merchant.id}`, ...originOf(request) };
        await beforeDeadline(removeMember(sql, removal, actor));
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error;
        if (error.code !== "LAST_OWNER") return notFoundPage(reply);
        return await showMembersPage(context, request, reply, owned, { problem: "last_owner" }, 422);
      }
      request.log.info({ merchant_id: merchant.id, shop_id: shop.id, removed: merchantId }, "member removed");
      return redirectTo(
        reply,
        merchantId === merchant.id ? CONNECTED_APPS_PATH : `${membersPath(shop.id)}?done=removed`,
      );
    }),
  );
}

/** The member that the URL names; null for whoever does not belong to the shop. */
async function memberOf(
  { sql }: MembersContext,
  request: OwnedShopRequest,
  { shop }: OwnedShop,
): Promise<Member | null> {
  const members = await beforeDeadline(membersOfShop(sql, shop.id));
  return members.find(({ merchantId }) => merchantId === request.params.merchantId) ?? null;
}

function showRemovalPage(
  context: MembersContext,
  request: OwnedShopRequest,
  reply: FastifyReply,
  { merchant, shop }: OwnedShop,
  member: Member,
  problem?: MemberProblem,
  status = 200,
): FastifyReply {
  const action = removalPath(shop.id, member.merchantId);
  const view = {
    shop,
    member,
    isYourself: member.merchantId === merchant.id,
    action,
    token: context.formTokens.issue(request, reply, action),
    problem: problem ?? null,
    account: context.signIn.account(request, reply, merchant),
  };
  return sendMerchantPage(reply, (locale) => removalView(view, locale), { status });
}
