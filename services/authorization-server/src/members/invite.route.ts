import {
  DirectoryError,
  inviteMember,
  type MadeInvitation,
  type Role,
  type Shop,
  withdrawInvitation,
} from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance } from "fastify";
import { notFoundPage } from "../merchant-page/errors/error-page.ts";
import { formField } from "../merchant-page/forms/form-token.ts";
import { cardPage } from "../merchant-page/frame/layout.ts";
import { day } from "../merchant-page/frame/moment.view.ts";
import { named, plainName } from "../merchant-page/frame/name.ts";
import { redirectTo, sendMerchantPage } from "../merchant-page/frame/send-merchant-page.ts";
import { beforeDeadline, merchantActor, type PageContext } from "../merchant-page/page-context.ts";
import { INVITATION_PATH, invitationsPath, membersPath, withdrawalPath } from "../merchant-page/paths.ts";
import type { MemberProblem } from "../merchant-page/texts/en.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";
import { showMembersPage } from "./members.route.ts";
import { ownedShopStep } from "./owned-shop.ts";

const PROBLEMS: Readonly<Record<string, MemberProblem>> = {
  INVALID_EMAIL: "email",
  ALREADY_MEMBER: "already_member",
  TOO_MANY_INVITATIONS: "too_many",
};

export function inviteRoute(app: FastifyInstance, context: PageContext): void {
  const { sql, formTokens, signIn, publicBaseUrl } = context;
  const [invitations, withdrawal] = [invitationsPath(":shopId"), withdrawalPath(":shopId")];

  // What these forms are answered with can be a page. Its address leads back to the shop's people.
  for (const path of [invitations, withdrawal]) {
    app.get(
      path,
      ownedShopStep(context, async (_, reply, { shop }) => redirectTo(reply, membersPath(shop.id))),
    );
  }

  app.post(
    invitations,
    ownedShopStep(context, async (request, reply, owned) => {
      const { merchant, shop } = owned;
      const email = formField(request.body, "email");
      const role: Role = formField(request.body, "role") === "owner" ? "owner" : "member";
      const refuse = (problem: MemberProblem, status: number) =>
        showMembersPage(context, reply, owned, { problem, email, role }, status);
      if (!formTokens.isValid(request, invitationsPath(shop.id))) return await refuse("out_of_date", 403);
      let made: MadeInvitation;
      try {
        const invitation = { shopId: shop.id, email, role, byOwner: merchant.id };
        made = await beforeDeadline(inviteMember(sql, invitation, merchantActor(request, merchant)));
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error;
        if (error.code === "NOT_AN_OWNER") return notFoundPage(reply);
        const problem = PROBLEMS[error.code];
        if (!problem) throw error;
        return await refuse(problem, 422);
      }
      request.log.info({ merchant_id: merchant.id, shop_id: shop.id, role }, "member invited");
      const link = `${publicBaseUrl}${INVITATION_PATH}?link=${made.token}`;
      const account = signIn.account(reply, merchant);
      return sendMerchantPage(reply, (locale) => madeInvitationView(shop, made, link, locale), { account });
    }),
  );

  app.post(
    withdrawal,
    ownedShopStep(context, async (request, reply, owned) => {
      const { merchant, shop } = owned;
      if (!formTokens.isValid(request, invitationsPath(shop.id))) {
        return await showMembersPage(context, reply, owned, { problem: "out_of_date" }, 403);
      }
      const invitation = { shopId: shop.id, id: formField(request.body, "invitation"), byOwner: merchant.id };
      const isDone = await beforeDeadline(withdrawInvitation(sql, invitation, merchantActor(request, merchant)));
      return redirectTo(reply, `${membersPath(shop.id)}${isDone ? "?done=withdrawn" : ""}`);
    }),
  );
}

/** The link of an invitation, which this page alone ever shows. */
function madeInvitationView(shop: Shop, made: MadeInvitation, link: string, locale: Locale): Html {
  const texts = locale.texts.members.made;
  const name = plainName(shop.name);
  // The owner's own mail program (RFC 6068).
  const body = encodeURIComponent(`${texts.mailText(name)}\r\n\r\n${link}\r\n`);
  const mailTo = `mailto:${encodeURIComponent(made.email)}?subject=${encodeURIComponent(texts.mailSubject(name))}&body=${body}`;
  return cardPage(
    locale,
    { title: texts.title, width: "medium" },
    html`<p class="lead">${texts.lead(html`<strong>${named(made.email)}</strong>`, day(made.expiresAt, locale))}</p>
<h2 class="label" id="link">${texts.link}</h2>
<p class="copied" aria-labelledby="link"><code>${link}</code></p>
<p class="fine">${texts.once}</p>
<div class="actions"><a class="button primary" href="${mailTo}">${texts.mail}</a>
<a class="button" href="${membersPath(shop.id)}">${texts.back}</a></div>`,
  );
}
