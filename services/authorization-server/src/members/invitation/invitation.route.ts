import {
  acceptInvitation,
  DirectoryError,
  type Group,
  makeInvitedAccount,
  passwordProblem,
} from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply } from "fastify";
import { formField } from "../../merchant-page/forms/form-token.ts";
import { newPassword } from "../../merchant-page/forms/password-field.view.ts";
import { named } from "../../merchant-page/frame/name.ts";
import { redirectTo } from "../../merchant-page/frame/send-merchant-page.ts";
import type { SignInPlace } from "../../merchant-page/merchant-sign-in.ts";
import { beforeDeadline, originOf, type PageContext } from "../../merchant-page/page-context.ts";
import { CONNECTED_APPS_PATH } from "../../merchant-page/paths.ts";
import { isLanguage, languageCookie } from "../../merchant-page/texts/locale.ts";
import { type InvitationMessage, MAX_NAME, showInvitationPage } from "./invitation-page.ts";
import { invitationHasEnded, invitationPath, invitationSteps, type OpenInvitation } from "./invitation-step.ts";

/** What the name in the form of a new account is sealed for, while its page is shown in another language. */
const TYPED_NAME = "typed name";

/** The page that an invitation's link leads to, for people who have an account: sign in if needed, then accept. */
export function invitationRoute(app: FastifyInstance, context: PageContext): void {
  const { sql, formTokens, sealed, signIn } = context;
  const steps = invitationSteps(app, context);

  steps.get("", async (request, reply, open) =>
    showInvitationPage(context, reply, open, await signIn.merchant(request), {
      name: sealed.open(request, TYPED_NAME, formField(request.query, "typed")) ?? "",
    }),
  );

  steps.post("", async (request, reply, open) => {
    const merchant = await signIn.merchant(request);
    const refuse = (status: number) =>
      showInvitationPage(context, reply, open, merchant, { problem: "out_of_date" }, status);
    if (!formTokens.isValid(request, invitationPath(open))) return refuse(403);
    // Signed out since the page was opened, or signed in with another account: the page says what to do.
    if (merchant?.email.toLowerCase() !== open.invitation.email) return refuse(409);
    try {
      const group = await beforeDeadline(acceptInvitation(sql, open.token, merchant, originOf(request)));
      return hasJoined(context, reply, group);
    } catch (error) {
      if (error instanceof DirectoryError) return invitationHasEnded(reply);
      throw error;
    }
  });

  steps.get("/sign-in", async (request, reply, open) => {
    const place = signInPlace(open);
    const isAsked = request.query.account === "1";
    return signIn.showForm(reply, isAsked ? { ...place, notice: (texts) => texts.invitation.ready } : place);
  });
  // What these forms are answered with can be a page. Its address leads back to the invitation.
  for (const step of ["sign-out", "account", "look"]) {
    steps.get(`/${step}`, async (_, reply, open) => redirectTo(reply, invitationPath(open)));
  }
  steps.post("/sign-in", (_, reply, open) => signIn.signIn(reply, signInPlace(open)));
  steps.post("/sign-out", async (request, reply, open) => {
    if (formTokens.isValid(request, invitationPath(open))) await signIn.signOut(reply);
    return redirectTo(reply, invitationPath(open));
  });
}

/** The first page that a new member sees: the authorization that waits in this browser, or else the connected apps. */
function hasJoined({ returns }: PageContext, reply: FastifyReply, { shopId }: Group): FastifyReply {
  const waiting = returns.remembered(reply.request);
  if (waiting?.app) return redirectTo(reply, `${waiting.path}&joined=${shopId}`);
  return redirectTo(reply, `${CONNECTED_APPS_PATH}?joined=${shopId}`);
}

function signInPlace(open: OpenInvitation): SignInPlace {
  return {
    action: invitationPath(open, "/sign-in"),
    destination: invitationPath(open),
    app: null,
    declinePath: null,
    lead: (texts) => texts.invitation.signIn(named(open.invitation.to.name)),
    email: open.invitation.email,
  };
}

/**
 * An account for the invited address. The answer is the same if there is one already, as the owner who invited had the link first. Nobody
 * is signed in by it, and the invitation stays open.
 */
export function newAccountRoute(app: FastifyInstance, context: PageContext): void {
  const { sql, formTokens, sealed, signIn, publicBaseUrl } = context;
  const languages = languageCookie(publicBaseUrl);
  const steps = invitationSteps(app, context);

  // The page in another language, with the name that is typed. It changes nothing but the language, so it needs no token.
  steps.post("/look", async ({ body }, reply, open) => {
    const language = formField(body, "language");
    if (isLanguage(language)) languages.set(reply, language);
    const typed = sealed.seal(reply, TYPED_NAME, formField(body, "name").slice(0, MAX_NAME));
    return redirectTo(reply, `${invitationPath(open)}&typed=${typed}`);
  });

  steps.post("/account", async (request, reply, open) => {
    // Somebody signed in meanwhile, and the page says as whom; or nobody has a password.
    if ((await signIn.merchant(request)) || signIn.openId(reply, { path: CONNECTED_APPS_PATH, app: null })?.only)
      return redirectTo(reply, invitationPath(open));
    const name = formField(request.body, "name").trim();
    const refuse = (message: InvitationMessage, status = 422) =>
      showInvitationPage(context, reply, open, null, { name, ...message }, status);
    if (!formTokens.isValid(request, invitationPath(open))) return refuse({ problem: "out_of_date" }, 403);

    const { email, to } = open.invitation;
    const password = newPassword(request.body);
    if (password === null) return refuse({ passwordProblem: "not_repeated" });
    const problem = await passwordProblem(
      password,
      { email, name, product: app.pageSettings.productName, shops: [to] },
      "person",
    );
    if (problem) return refuse({ passwordProblem: problem });
    try {
      const make = () => makeInvitedAccount(sql, open.token, { name, password }, originOf(request));
      const made = await signIn.hashing(request, make);
      if (made !== null) request.log.info({ merchant_id: made, shop_id: to.id }, "account made by an invitation");
      return redirectTo(reply, `${invitationPath(open, "/sign-in")}&account=1`);
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error;
      if (error.code === "INVALID_NAME") return refuse({ problem: "name" });
      if (error.code === "INVITATION_ENDED") return invitationHasEnded(reply);
      throw error;
    }
  });
}
