import { changePassword, type Merchant, normalizedPassword } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply } from "fastify";
import { formField } from "../pages/form-token.ts";
import { cardPage, notice } from "../pages/layout.ts";
import type { Locale } from "../pages/locale.ts";
import { merchantActor, type PageContext } from "../pages/page-context.ts";
import {
  newPassword,
  newPasswordFields,
  type PasswordFieldProblem,
  passwordField,
} from "../pages/password-field.view.ts";
import { CONNECTED_APPS_PATH, PASSWORD_PATH } from "../pages/paths.ts";
import type { ReturnPath } from "../pages/return-paths.ts";
import { redirectTo, sendMerchantPage } from "../pages/send-merchant-page.ts";
import { signInFirst } from "../pages/sign-in-first.ts";
import { waitingNotice } from "../pages/waiting.view.ts";

/** Where password managers look for the page: https://w3c.github.io/webappsec-change-password-url/ */
const WELL_KNOWN_PATH = "/.well-known/change-password";

export function changePasswordRoute(app: FastifyInstance, context: PageContext): void {
  app.get(WELL_KNOWN_PATH, async (_, reply) => redirectTo(reply, PASSWORD_PATH));

  app.get<{ Querystring: { changed?: unknown } }>(PASSWORD_PATH, async (request, reply) => {
    const merchant = await context.signIn.merchant(request);
    if (!merchant) return signInFirst(context, reply);
    return showForm(context, reply, merchant, { isDone: request.query.changed !== undefined });
  });

  app.post(PASSWORD_PATH, async (request, reply) => {
    const merchant = await context.signIn.merchant(request);
    if (!merchant) return signInFirst(context, reply);
    const refuse = (status: number, problem: Partial<ChangePasswordView>) =>
      showForm(context, reply, merchant, problem, status);
    if (!context.formTokens.isValid(request, PASSWORD_PATH)) return refuse(403, { isOutOfDate: true });

    const present = formField(request.body, "password");
    const chosen = newPassword(request.body);
    if (chosen === null) return refuse(422, { newProblem: "not_repeated" });
    const confirmed = await context.signIn.confirm(reply, merchant.email, present);
    if (confirmed.outcome === "throttled") {
      reply.header("retry-after", confirmed.waitSeconds);
      return refuse(429, { waitMinutes: Math.ceil(confirmed.waitSeconds / 60) });
    }
    if (confirmed.outcome !== "right") return refuse(422, { isWrong: true });
    if (normalizedPassword(chosen) === normalizedPassword(present)) return refuse(422, { newProblem: "same" });

    const actor = merchantActor(request, merchant);
    const owner = { ...confirmed.merchant, product: app.pageSettings.productName };
    const change = await context.signIn.hashing(request, () => changePassword(context.sql, owner, chosen, actor));
    if (change.outcome === "refused") return refuse(422, { newProblem: change.problem });
    if (change.outcome === "ended") return signInFirst(context, reply);
    request.log.info({ merchant_id: merchant.id }, "password changed");
    await context.signIn.start(reply, change.merchant);
    return redirectTo(reply, `${PASSWORD_PATH}?changed=1`);
  });
}

function showForm(
  { formTokens, returns, signIn }: PageContext,
  reply: FastifyReply,
  merchant: Merchant,
  message: Partial<ChangePasswordView>,
  status = 200,
): FastifyReply {
  const view = {
    email: merchant.email,
    token: formTokens.issue(reply, PASSWORD_PATH),
    waiting: returns.remembered(reply.request),
    ...message,
  };
  const account = signIn.account(reply, merchant);
  return sendMerchantPage(reply, (locale) => changePasswordView(view, locale), { status, account });
}

interface ChangePasswordView {
  readonly email: string;
  readonly token: string;
  readonly waiting: ReturnPath | null;
  readonly isDone?: boolean;
  readonly isOutOfDate?: boolean;
  readonly isWrong?: boolean;
  readonly waitMinutes?: number;
  readonly newProblem?: PasswordFieldProblem;
}

function changePasswordView(view: ChangePasswordView, locale: Locale): Html {
  const { password: texts, signIn, connectedApps } = locale.texts;
  const { isOutOfDate = false, isWrong = false, waitMinutes, newProblem = null } = view;
  const problem = isOutOfDate
    ? locale.texts.frame.outOfDate
    : waitMinutes !== undefined && texts.tooManyAttempts(waitMinutes);
  return cardPage(
    locale,
    { title: texts.change.title },
    html`<p class="lead">${texts.change.lead}</p>
${waitingNotice(view.waiting, locale)}
${notice("done", view.isDone && texts.change.done)}
${notice("problem", problem)}
<form method="post" action="${PASSWORD_PATH}">
<input type="hidden" name="token" value="${view.token}">
<label for="email">${signIn.email}</label>
<input id="email" type="email" autocomplete="username" readonly value="${view.email}">
${passwordField({
  name: "password",
  label: texts.present,
  kind: "current-password",
  problem: isWrong ? texts.problem.wrong : null,
  hasFocus: newProblem === null && !view.isDone,
})}
${newPasswordFields(texts, newProblem, newProblem !== null)}
<div class="actions"><button class="primary">${texts.change.submit}</button></div>
</form>
<p class="aside"><a href="${CONNECTED_APPS_PATH}">${connectedApps.title}</a></p>`,
  );
}
