import { findResetLink, RESET_PASSWORD_PATH, resetPassword } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { cardPage, notice } from "../pages/layout.ts";
import type { Locale } from "../pages/locale.ts";
import { named } from "../pages/name.ts";
import { originOf, type PageContext } from "../pages/page-context.ts";
import { newPassword, newPasswordFields, type PasswordFieldProblem } from "../pages/password-field.view.ts";
import { FORGOT_PASSWORD_PATH, SIGN_IN_PATH } from "../pages/paths.ts";
import { redirectTo, sendMerchantPage } from "../pages/send-merchant-page.ts";

type Link = { Querystring: { link?: unknown } };

/**
 * The page that a link of an operator or a mail leads to. Looking at it uses nothing up, as mail programs open links. Neither logs nor referrers name
 * it.
 */
export function resetPasswordRoute(app: FastifyInstance, context: PageContext): void {
  const { sql, formTokens, signIn } = context;

  app.get<Link>(RESET_PASSWORD_PATH, async (request, reply) => {
    const token = tokenOf(request);
    const merchant = token && (await findResetLink(sql, token));
    return merchant ? showForm(context, reply, token, { email: merchant.email }) : linkHasEnded(reply);
  });

  app.post<Link>(RESET_PASSWORD_PATH, async (request, reply) => {
    const token = tokenOf(request);
    const merchant = token && (await findResetLink(sql, token));
    if (!merchant) return linkHasEnded(reply);
    const refuse = (status: number, problem: Pick<ResetPasswordView, "problem" | "isOutOfDate">) =>
      showForm(context, reply, token, { email: merchant.email, ...problem }, status);
    if (!formTokens.isValid(request, RESET_PASSWORD_PATH)) return refuse(403, { isOutOfDate: true });

    const chosen = newPassword(request.body);
    if (chosen === null) return refuse(422, { problem: "not_repeated" });
    const product = app.pageSettings.productName;
    const reset = () => resetPassword(sql, token, chosen, originOf(request), { product });
    const change = await signIn.hashing(request, reset);
    if (change.outcome === "refused") return refuse(422, { problem: change.problem });
    if (change.outcome === "ended") return linkHasEnded(reply);
    request.log.info({ merchant_id: merchant.id }, "password reset by a link");
    // Another merchant may be signed in here. The next page asks for this account's new password.
    await signIn.signOut(reply);
    await signIn.forgiveGuesses(reply, merchant.email);
    context.knownEmail.set(reply, merchant.email);
    return redirectTo(reply, nextPath(context, reply));
  });
}

/** The sign-in that leads on to where the password was forgotten. An authorization has its own. */
function nextPath({ returns }: PageContext, reply: FastifyReply): string {
  const next = returns.remembered(reply.request);
  if (next?.app) return `${next.path}&password_changed=1`;
  const signIn = `${SIGN_IN_PATH}?password_changed=1`;
  return next ? returns.leadingTo(reply, signIn, next) : signIn;
}

/** Null: not of the form that our links have. */
function tokenOf(request: FastifyRequest<Link>): string | null {
  const { link } = request.query;
  return typeof link === "string" && /^pcl_[\w-]{43}$/.test(link) ? link : null;
}

function showForm(
  { formTokens }: PageContext,
  reply: FastifyReply,
  link: string,
  shown: Pick<ResetPasswordView, "email" | "problem" | "isOutOfDate">,
  status = 200,
): FastifyReply {
  const action = `${RESET_PASSWORD_PATH}?link=${link}`;
  const view = { action, token: formTokens.issue(reply, RESET_PASSWORD_PATH), ...shown };
  return sendMerchantPage(reply, (locale) => resetPasswordView(view, locale), { status, hasSecretUrl: true });
}

/** One page for a link that was used, has expired, was followed by a newer one, or never was. */
function linkHasEnded(reply: FastifyReply): FastifyReply {
  return sendMerchantPage(reply, endedLinkView, { status: 410, hasSecretUrl: true });
}

interface ResetPasswordView {
  readonly email: string;
  readonly action: string;
  readonly token: string;
  readonly isOutOfDate?: boolean;
  readonly problem?: PasswordFieldProblem;
}

function resetPasswordView(view: ResetPasswordView, locale: Locale): Html {
  const { password: texts, signIn } = locale.texts;
  return cardPage(
    locale,
    { title: texts.reset.title },
    html`<p class="lead">${texts.reset.lead(html`<strong>${named(view.email)}</strong>`)}</p>
${notice("problem", view.isOutOfDate && locale.texts.frame.outOfDate)}
<form method="post" action="${view.action}">
<input type="hidden" name="token" value="${view.token}">
<label for="email">${signIn.email}</label>
<input id="email" type="email" autocomplete="username" readonly value="${view.email}">
${newPasswordFields(texts, view.problem ?? null, true)}
<div class="actions"><button class="primary">${texts.reset.submit}</button></div>
</form>`,
  );
}

function endedLinkView(locale: Locale): Html {
  const { password: texts, signIn } = locale.texts;
  return cardPage(
    locale,
    { title: texts.ended.title },
    html`<p class="lead">${texts.ended.lead}</p>
<p class="lead">${texts.ended.next}</p>
<div class="actions"><a class="button primary" href="${SIGN_IN_PATH}">${signIn.title}</a></div>
<p class="aside"><a href="${FORGOT_PASSWORD_PATH}">${signIn.forgot}</a></p>`,
  );
}
