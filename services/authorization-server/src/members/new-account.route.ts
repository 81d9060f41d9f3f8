import { DirectoryError, joinAsNewMerchant, passwordProblem } from "@partner-connect/directory";
import type { FastifyInstance } from "fastify";
import { formField } from "../merchant-page/form-field.ts";
import { newPassword } from "../merchant-page/new-password.ts";
import { redirectTo } from "../merchant-page/send-merchant-page.ts";
import { hasJoined } from "./invitation.route.ts";
import { type InvitationMessage, showInvitationPage } from "./invitation-page.ts";
import { invitationHasEnded, invitationPath, invitationStep } from "./invitation-step.ts";
import { type MembersContext, originOf } from "./members-context.ts";
import { INVITATION_PATH } from "./members-paths.ts";

/** Accepting by an account that is made for it. */
export function newAccountRoute(app: FastifyInstance, context: MembersContext): void {
  const { sql, formTokens, signIn } = context;

  app.post(
    `${INVITATION_PATH}/account`,
    invitationStep(context, async (request, reply, open) => {
      // Somebody signed in meanwhile: the page says as whom.
      if (await signIn.merchant(request)) return redirectTo(reply, invitationPath(open));
      const name = formField(request.body, "name").trim();
      const refuse = (message: InvitationMessage, status = 422) =>
        showInvitationPage(context, request, reply, open, null, { name, ...message }, status);
      if (!formTokens.isValid(request, invitationPath(open))) return refuse({ problem: "out_of_date" }, 403);

      const { email, shop } = open.invitation;
      const password = newPassword(request.body);
      if (password === null) return refuse({ passwordProblem: "not_repeated" });
      const problem = await passwordProblem(password, { email, name, shops: [shop] }, "person");
      if (problem) return refuse({ passwordProblem: problem });
      try {
        const join = () => joinAsNewMerchant(sql, open.token, { name, password }, originOf(request));
        const joined = await signIn.hashing(request, join);
        request.log.info({ merchant_id: joined.merchant.id, shop_id: joined.shopId }, "account made by an invitation");
        await signIn.start(request, reply, joined.merchant);
        return hasJoined(reply, joined.shopId);
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error;
        if (error.code === "INVALID_NAME") return refuse({ problem: "name" });
        if (error.code === "EMAIL_TAKEN") return refuse({ problem: "email_taken" });
        if (error.code === "INVITATION_ENDED") return invitationHasEnded(reply);
        throw error;
      }
    }),
  );
}
