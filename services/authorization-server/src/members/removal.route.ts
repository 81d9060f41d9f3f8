import { DirectoryError, type Member, membersOfShop, removeMember } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply } from "fastify";
import { notFoundPage } from "../merchant-page/errors/error-page.ts";
import { cardPage, notice } from "../merchant-page/frame/layout.ts";
import { named, plainName } from "../merchant-page/frame/name.ts";
import { redirectTo, sendMerchantPage } from "../merchant-page/frame/send-merchant-page.ts";
import { beforeDeadline, merchantActor, type PageContext } from "../merchant-page/page-context.ts";
import { CONNECTED_APPS_PATH, membersPath, removalPath } from "../merchant-page/paths.ts";
import type { MemberProblem } from "../merchant-page/texts/en.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";
import { showMembersPage } from "./members.route.ts";
import { type OwnedShop, type OwnedShopRequest, ownedShopStep } from "./owned-shop.ts";

export function removalRoute(app: FastifyInstance, context: PageContext): void {
  const path = removalPath(":shopId", ":merchantId");

  app.get(
    path,
    memberStep(context, async (_, reply, owned, member) => showRemovalPage(context, reply, owned, member)),
  );

  app.post(
    path,
    memberStep(context, async (request, reply, owned, member) => {
      const { merchant, shop } = owned;
      const { merchantId } = member;
      if (!context.formTokens.isValid(request, removalPath(shop.id, merchantId))) {
        return showRemovalPage(context, reply, owned, member, "out_of_date", 403);
      }
      try {
        const removal = { shopId: shop.id, merchantId, byOwner: merchant.id };
        await beforeDeadline(removeMember(context.sql, removal, merchantActor(request, merchant)));
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error;
        if (error.code !== "LAST_OWNER") return notFoundPage(reply);
        return await showMembersPage(context, reply, owned, { problem: "last_owner" }, 422);
      }
      request.log.info({ merchant_id: merchant.id, shop_id: shop.id, removed: merchantId }, "member removed");
      const isYourself = merchantId === merchant.id;
      return redirectTo(reply, isYourself ? CONNECTED_APPS_PATH : `${membersPath(shop.id)}?done=removed`);
    }),
  );
}

type Step = (request: OwnedShopRequest, reply: FastifyReply, owned: OwnedShop, member: Member) => Promise<FastifyReply>;

/** Runs `step` with the member that the URL names. A person who does not belong to the shop is not found. */
function memberStep(context: PageContext, step: Step) {
  return ownedShopStep(context, async (request, reply, owned) => {
    const members = await beforeDeadline(membersOfShop(context.sql, owned.shop.id));
    const member = members.find(({ merchantId }) => merchantId === request.params.merchantId);
    return member ? await step(request, reply, owned, member) : notFoundPage(reply);
  });
}

function showRemovalPage(
  { formTokens, signIn }: PageContext,
  reply: FastifyReply,
  owned: OwnedShop,
  member: Member,
  problem: MemberProblem | null = null,
  status = 200,
): FastifyReply {
  const token = formTokens.issue(reply, removalPath(owned.shop.id, member.merchantId));
  const account = signIn.account(reply, owned.merchant);
  return sendMerchantPage(reply, (locale) => removalView(owned, member, token, problem, locale), { status, account });
}

function removalView(
  { merchant, shop }: OwnedShop,
  member: Member,
  token: string,
  problem: MemberProblem | null,
  locale: Locale,
): Html {
  const { removal: texts, problem: problems, remove } = locale.texts.members;
  const name = named(member.name);
  return cardPage(
    locale,
    { title: texts.title(plainName(member.name)), heading: texts.heading(name, named(shop.name)) },
    html`${notice("problem", problem && problems[problem])}
<p class="lead">${named(member.email)}</p>
${member.merchantId === merchant.id && html`<p class="lead"><strong>${texts.yourself}</strong></p>`}
<ul class="plain">${texts.consequences(name).map((line) => html`<li>${line}</li>`)}</ul>
<form method="post" action="${removalPath(shop.id, member.merchantId)}">
<input type="hidden" name="token" value="${token}">
<div class="actions">
<button class="danger filled">${remove}</button>
<a class="button" href="${membersPath(shop.id)}">${texts.keep}</a>
</div>
</form>`,
  );
}
