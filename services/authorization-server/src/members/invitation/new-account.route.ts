import { DirectoryError, makeInvitedAccount, passwordProblem } from "@partner-connect/directory";
import type { FastifyInstance } from "fastify";
import { formField } from "../../merchant-page/forms/form-field.ts";
import { newPassword } from "../../merchant-page/forms/new-password.ts";
import { redirectTo } from "../../merchant-page/frame/send-merchant-page.ts";
import { originOf, type PageContext } from "../../merchant-page/page-context.ts";
import { INVITATION_PATH } from "../members-paths.ts";
import { type InvitationMessage, showInvitationPage } from "./invitation-page.ts";
import { invitationHasEnded, invitationPath, invitationStep } from "./invitation-step.ts";

/**
 * An account for the invited address, to accept with. The answer is the same if there is one already: the owner who invited had the
 * link first, and is not told. Nobody is signed in by it, and the invitation stays open.
 */
export function newAccountRoute(app: FastifyInstance, context: PageContext): void {
  const { sql, formTokens, signIn } = context;

  app.post(
    `${INVITATION_PATH}/account`,
    invitationStep(context, async (request, reply, open) => {
      // Somebody signed in meanwhile: the page says as whom.
      if (await signIn.merchant(request)) return redirectTo(reply, invitationPath(open));
      const name = formField(request.body, "name").trim();
      const refuse = (message: InvitationMessage, status = 422) =>
        showInvitationPage(context, reply, open, null, { name, ...message }, status);
      if (!formTokens.isValid(request, invitationPath(open))) return refuse({ problem: "out_of_date" }, 403);

      const { email, shop } = open.invitation;
      const password = newPassword(request.body);
      if (password === null) return refuse({ passwordProblem: "not_repeated" });
      const problem = await passwordProblem(password, { email, name, shops: [shop] }, "person");
      if (problem) return refuse({ passwordProblem: problem });
      try {
        const make = () => makeInvitedAccount(sql, open.token, { name, password }, originOf(request));
        const made = await signIn.hashing(request, make);
        if (made !== null) request.log.info({ merchant_id: made, shop_id: shop.id }, "account made by an invitation");
        return redirectTo(reply, `${invitationPath(open, "/sign-in")}&account=1`);
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error;
        if (error.code === "INVALID_NAME") return refuse({ problem: "name" });
        if (error.code === "INVITATION_ENDED") return invitationHasEnded(reply);
        throw error;
      }
    }),
  );
}
