import { acceptInvitation, DirectoryError } from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply } from "fastify";
import { redirectTo } from "../../merchant-page/frame/send-merchant-page.ts";
import type { SignInPlace } from "../../merchant-page/merchant-sign-in.ts";
import { originOf, type PageContext } from "../../merchant-page/page-context.ts";
import { beforeDeadline } from "../../merchant-page/page-deadline.ts";
import { CONNECTED_APPS_PATH } from "../../merchant-page/paths.ts";
import { INVITATION_PATH } from "../members-paths.ts";
import { showInvitationPage } from "./invitation-page.ts";
import { invitationHasEnded, invitationPath, invitationStep, type OpenInvitation } from "./invitation-step.ts";

/** The page that an invitation's link leads to, for people who have an account: sign in if needed, then accept. */
export function invitationRoute(app: FastifyInstance, context: PageContext): void {
  const { sql, formTokens, signIn } = context;

  app.get(
    INVITATION_PATH,
    invitationStep(context, async (request, reply, open) =>
      showInvitationPage(context, reply, open, await signIn.merchant(request)),
    ),
  );

  app.post(
    INVITATION_PATH,
    invitationStep(context, async (request, reply, open) => {
      const merchant = await signIn.merchant(request);
      const refuse = (status: number) =>
        showInvitationPage(context, reply, open, merchant, { problem: "out_of_date" }, status);
      if (!formTokens.isValid(request, invitationPath(open))) return refuse(403);
      // Signed out since the page was opened, or signed in with another account: the page says what to do.
      if (merchant?.email.toLowerCase() !== open.invitation.email) return refuse(409);
      try {
        const { shopId } = await beforeDeadline(acceptInvitation(sql, open.token, merchant, originOf(request)));
        return hasJoined(reply, shopId);
      } catch (error) {
        if (error instanceof DirectoryError) return invitationHasEnded(reply);
        throw error;
      }
    }),
  );

  app.get(
    `${INVITATION_PATH}/sign-in`,
    invitationStep(context, async (request, reply, open) => {
      const place = signInPlace(open);
      const isAsked = request.query.account === "1";
      return signIn.showForm(reply, isAsked ? { ...place, notice: (texts) => texts.invitation.ready } : place);
    }),
  );
  // What these forms are answered with can be a page. Its address leads back to the invitation.
  for (const step of ["sign-out", "account"]) {
    app.get(
      `${INVITATION_PATH}/${step}`,
      invitationStep(context, async (_, reply, open) => redirectTo(reply, invitationPath(open))),
    );
  }
  app.post(
    `${INVITATION_PATH}/sign-in`,
    invitationStep(context, (_, reply, open) => signIn.signIn(reply, signInPlace(open))),
  );
  app.post(
    `${INVITATION_PATH}/sign-out`,
    invitationStep(context, async (request, reply, open) => {
      if (formTokens.isValid(request, invitationPath(open))) await signIn.signOut(reply);
      return redirectTo(reply, invitationPath(open));
    }),
  );
}

/** The first page that a new member sees. */
function hasJoined(reply: FastifyReply, shopId: string): FastifyReply {
  return redirectTo(reply, `${CONNECTED_APPS_PATH}?joined=${shopId}`);
}

function signInPlace(open: OpenInvitation): SignInPlace {
  return {
    action: invitationPath(open, "/sign-in"),
    destination: invitationPath(open),
    app: null,
    declinePath: null,
  };
}
