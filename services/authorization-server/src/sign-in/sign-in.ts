import { noteFacts } from "@partner-connect/service-runtime";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyReply } from "fastify";
import { formField } from "../merchant-page/forms/form-token.ts";
import { cardPage, notice } from "../merchant-page/frame/layout.ts";
import { named } from "../merchant-page/frame/name.ts";
import { redirectTo, sendMerchantPage } from "../merchant-page/frame/send-merchant-page.ts";
import type { SignInPlace } from "../merchant-page/merchant-sign-in.ts";
import { FORGOT_PASSWORD_PATH } from "../merchant-page/paths.ts";
import type { Texts } from "../merchant-page/texts/en.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";
import { confirm } from "./password/confirm.ts";
import { recordSignIn } from "./record-sign-in.ts";
import type { SignInContext } from "./sign-in-context.ts";

interface SignInMessage {
  /** Default: 200. */
  readonly status?: number;
  readonly email?: string;
  readonly problem?: (texts: Texts["signIn"]) => string;
  /** What has happened, such as a sign-out. */
  readonly notice?: (texts: Texts["signIn"]) => string;
}

export function showSignInForm(
  { formTokens }: SignInContext,
  reply: FastifyReply,
  place: SignInPlace,
  { status = 200, email = "", problem, notice }: SignInMessage = {},
): FastifyReply {
  const token = formTokens.issue(reply, place.action);
  return sendMerchantPage(
    reply,
    (locale) => {
      const texts = locale.texts.signIn;
      const said = notice?.(texts) ?? (problem ? null : (place.notice?.(locale.texts) ?? null));
      return signInView({ place, token, email, problem: problem?.(texts) ?? null, notice: said }, locale);
    },
    { status },
  );
}

const OUTCOMES = { right: "signed_in", wrong: "refused", paused: "refused", throttled: "throttled" } as const;

export async function signIn(context: SignInContext, reply: FastifyReply, place: SignInPlace): Promise<FastifyReply> {
  const { request } = reply;
  const email = formField(request.body, "email").trim();
  const refuse = (status: number, problem: NonNullable<SignInMessage["problem"]>) =>
    showSignInForm(context, reply, place, { status, email, problem });
  if (!context.formTokens.isValid(request, place.action)) return refuse(403, (texts) => texts.outOfDate);

  const confirmed = await confirm(context, reply, email, formField(request.body, "password"));
  noteFacts(request, { outcome: OUTCOMES[confirmed.outcome] });
  switch (confirmed.outcome) {
    case "throttled":
      reply.header("retry-after", confirmed.waitSeconds);
      return refuse(429, (texts) => texts.tooManyAttempts(Math.ceil(confirmed.waitSeconds / 60)));
    case "wrong":
      return refuse(422, (texts) => texts.wrong);
    case "paused":
      return refuse(403, (texts) => texts.paused);
    case "right":
      await recordSignIn(context, request, confirmed.merchant);
      await context.session.start(reply, confirmed.merchant);
      return redirectTo(reply, place.destination);
  }
}

interface SignInView {
  readonly place: SignInPlace;
  readonly token: string;
  readonly email: string;
  readonly problem: string | null;
  readonly notice: string | null;
}

function signInView(view: SignInView, locale: Locale): Html {
  const texts = locale.texts.signIn;
  const { place } = view;
  const app = place.app === null ? null : named(place.app);
  // A merchant who comes back to the form has only the password to type.
  const [focusEmail, focusPassword] = view.email === "" ? [html` autofocus`, null] : [null, html` autofocus`];
  const describedBy = view.problem !== null && html` aria-describedby="problem"`;
  return cardPage(
    locale,
    { title: texts.title },
    html`<p class="lead">${texts.lead(app)}</p>
${notice("done", view.notice)}
${notice("problem", view.problem !== null && html`<span id="problem">${view.problem}</span>`)}
<form method="post" action="${place.action}">
<input type="hidden" name="token" value="${view.token}">
<label for="email">${texts.email}</label>
<input id="email" name="email" type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required value="${view.email}"${focusEmail}${describedBy}>
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required${focusPassword}${describedBy}>
<div class="actions"><button class="primary">${texts.title}</button></div>
</form>
<p class="aside"><a href="${FORGOT_PASSWORD_PATH}">${texts.forgot}</a></p>
<p class="fine">${texts.safety(html`<strong>${locale.frame.host}</strong>`)}</p>
${place.declinePath !== null && app !== null && html`<p class="aside"><a href="${place.declinePath}">${texts.decline(app)}</a></p>`}`,
  );
}
