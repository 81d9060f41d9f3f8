import { changePassword, type Merchant, normalizedPassword } from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply } from "fastify";
import { formField } from "../merchant-page/forms/form-field.ts";
import { newPassword } from "../merchant-page/forms/new-password.ts";
import { redirectTo, sendMerchantPage } from "../merchant-page/frame/send-merchant-page.ts";
import { merchantActor, type PageContext } from "../merchant-page/page-context.ts";
import { PASSWORD_PATH, SIGN_IN_PATH } from "../merchant-page/paths.ts";
import { type ChangePasswordView, changePasswordView } from "./change-password.view.ts";

/** Where password managers look for the page: https://w3c.github.io/webappsec-change-password-url/ */
const WELL_KNOWN_PATH = "/.well-known/change-password";

export function changePasswordRoute(app: FastifyInstance, context: PageContext): void {
  app.get(WELL_KNOWN_PATH, async (_, reply) => redirectTo(reply, PASSWORD_PATH));

  app.get<{ Querystring: { changed?: unknown } }>(PASSWORD_PATH, async (request, reply) => {
    const merchant = await context.signIn.merchant(request);
    if (!merchant) return redirectTo(reply, SIGN_IN_PATH);
    return showForm(context, reply, merchant, { isDone: request.query.changed !== undefined });
  });

  app.post(PASSWORD_PATH, async (request, reply) => {
    const merchant = await context.signIn.merchant(request);
    if (!merchant) return redirectTo(reply, SIGN_IN_PATH);
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
    const change = await context.signIn.hashing(request, () =>
      changePassword(context.sql, confirmed.merchant, chosen, actor),
    );
    if (change.outcome === "refused") return refuse(422, { newProblem: change.problem });
    if (change.outcome === "ended") return redirectTo(reply, SIGN_IN_PATH);
    request.log.info({ merchant_id: merchant.id }, "password changed");
    await context.signIn.start(reply, change.merchant);
    return redirectTo(reply, `${PASSWORD_PATH}?changed=1`);
  });
}

function showForm(
  { formTokens, signIn }: PageContext,
  reply: FastifyReply,
  merchant: Merchant,
  message: Partial<ChangePasswordView>,
  status = 200,
): FastifyReply {
  const view = { email: merchant.email, token: formTokens.issue(reply, PASSWORD_PATH), ...message };
  const account = signIn.account(reply, merchant);
  return sendMerchantPage(reply, (locale) => changePasswordView(view, locale), { status, account });
}
