import {
  DirectoryError,
  inviteMember,
  type MadeInvitation,
  type Role,
  withdrawInvitation,
} from "@partner-connect/directory";
import type { FastifyInstance } from "fastify";
import { notFoundPage } from "../merchant-page/errors/error-page.ts";
import { formField } from "../merchant-page/forms/form-field.ts";
import { redirectTo, sendMerchantPage } from "../merchant-page/frame/send-merchant-page.ts";
import { beforeDeadline } from "../merchant-page/page-deadline.ts";
import { membersPath } from "../merchant-page/paths.ts";
import type { MemberProblem } from "../merchant-page/texts/texts.ts";
import { madeInvitationView } from "./made-invitation.view.ts";
import { type MembersContext, originOf } from "./members-context.ts";
import { showMembersPage } from "./members-page.ts";
import { INVITATION_PATH, INVITATIONS_PATTERN, invitationsPath, WITHDRAWAL_PATTERN } from "./members-paths.ts";
import { ownedShopStep } from "./owned-shop.ts";

const PROBLEMS: Readonly<Record<string, MemberProblem>> = {
  INVALID_EMAIL: "email",
  ALREADY_MEMBER: "already_member",
  TOO_MANY_INVITATIONS: "too_many",
};

/** An owner makes an invitation, whose link the answer shows once; or withdraws one. */
export function inviteRoute(app: FastifyInstance, context: MembersContext): void {
  const { sql, formTokens, signIn, publicBaseUrl } = context;

  // What these forms are answered with can be a page. Its address leads back to the shop's people.
  for (const path of [INVITATIONS_PATTERN, WITHDRAWAL_PATTERN]) {
    app.get(
      path,
      ownedShopStep(context, async (_, reply, { shop }) => redirectTo(reply, membersPath(shop.id))),
    );
  }

  app.post(
    INVITATIONS_PATTERN,
    ownedShopStep(context, async (request, reply, owned) => {
      const { merchant, shop } = owned;
      const email = formField(request.body, "email");
      const role: Role = formField(request.body, "role") === "owner" ? "owner" : "member";
      const refuse = (problem: MemberProblem, status: number) =>
        showMembersPage(context, request, reply, owned, { problem, email, role }, status);
      if (!formTokens.isValid(request, invitationsPath(shop.id))) return await refuse("out_of_date", 403);
      let made: MadeInvitation;
      try {
        const actor = { name: `merchant:${merchant.id}`, ...originOf(request) };
        const invitation = { shopId: shop.id, email, role, byOwner: merchant.id };
        made = await beforeDeadline(inviteMember(sql, invitation, actor));
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error;
        // Not an owner any more, since a moment.
        if (error.code === "NOT_AN_OWNER") return notFoundPage(reply);
        const problem = PROBLEMS[error.code];
        if (!problem) throw error;
        return await refuse(problem, 422);
      }
      request.log.info({ merchant_id: merchant.id, shop_id: shop.id, role }, "member invited");
      const link = `${publicBaseUrl}${INVITATION_PATH}?link=${made.token}`;
      const view = { shop, made, link, account: signIn.account(request, reply, merchant) };
      return sendMerchantPage(reply, (locale) => madeInvitationView(view, locale));
    }),
  );

  app.post(
    WITHDRAWAL_PATTERN,
    ownedShopStep(context, async (request, reply, owned) => {
      const { merchant, shop } = owned;
      if (!formTokens.isValid(request, invitationsPath(shop.id))) {
        return await showMembersPage(context, request, reply, owned, { problem: "out_of_date" }, 403);
      }
      const withdrawal = { shopId: shop.id, id: formField(request.body, "invitation"), byOwner: merchant.id };
      const actor = { name: `merchant:${merchant.id}`, ...originOf(request) };
      const isDone = await beforeDeadline(withdrawInvitation(sql, withdrawal, actor));
      return redirectTo(reply, `${membersPath(shop.id)}${isDone ? "?done=withdrawn" : ""}`);
    }),
  );
}
