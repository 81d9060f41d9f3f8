import { noteFacts } from "@partner-connect/service-runtime";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyReply, FastifyRequest } from "fastify";
import { appIcon, publisher } from "../pages/app-identity.view.ts";
import { formField } from "../pages/form-token.ts";
import { cardPage, notice } from "../pages/layout.ts";
import type { Locale } from "../pages/locale.ts";
import type { OpenIdChoice, SignInPlace } from "../pages/merchant-sign-in.ts";
import { named } from "../pages/name.ts";
import { CONNECTED_APPS_PATH, FORGOT_PASSWORD_PATH, SECOND_STEP_PATH } from "../pages/paths.ts";
import { redirectTo, sendMerchantPage } from "../pages/send-merchant-page.ts";
import type { Texts } from "../texts/en.ts";
import { confirm } from "./confirm.ts";
import { recordSignIn } from "./record-sign-in.ts";
import type { SignInContext } from "./sign-in-context.ts";

interface SignInMessage {
  /** Default: 200. */
  readonly status?: number;
  readonly email?: string;
  readonly problem?: (texts: Texts["signIn"]) => string;
}

export function showSignInForm(
  { formTokens, session, returns, knownEmail, openId }: SignInContext,
  reply: FastifyReply,
  place: SignInPlace,
  { status = 200, email: typed, problem }: SignInMessage = {},
): FastifyReply {
  const { request } = reply;
  const token = formTokens.issue(reply, place.action);
  const email = typed ?? place.email ?? knownEmail.read(request) ?? "";
  const { destination: path, app } = place;
  const isDefault = path === CONNECTED_APPS_PATH;
  const forgotPath = isDefault ? FORGOT_PASSWORD_PATH : returns.leadingTo(reply, FORGOT_PASSWORD_PATH, { path, app });
  const elsewhere = openId(reply, { path, app });
  return sendMerchantPage(
    reply,
    (locale) => {
      const texts = locale.texts.signIn;
      const hasEnded = session.isPresented(request) ? texts.sessionEnded : null;
      const notice = problem ? null : (newsOf(request, texts) ?? hasEnded ?? place.notice?.(locale.texts) ?? null);
      return signInView(
        { place, forgotPath, token, email, elsewhere, problem: problem?.(texts) ?? null, notice },
        locale,
      );
    },
    { status },
  );
}

/** What the redirect to a sign-in says has happened. */
function newsOf({ query }: FastifyRequest, texts: Texts["signIn"]): string | null {
  if (formField(query, "password_changed") !== "") return texts.passwordChanged;
  const where = formField(query, "signed_out");
  if (where === "everywhere") return texts.signedOutEverywhere;
  return where === "" ? null : texts.signedOut;
}

const OUTCOMES = { right: "signed_in", wrong: "refused", paused: "refused", throttled: "throttled" } as const;

export async function signIn(context: SignInContext, reply: FastifyReply, place: SignInPlace): Promise<FastifyReply> {
  const { request } = reply;
  const email = formField(request.body, "email").trim();
  const refuse = (status: number, problem: NonNullable<SignInMessage["problem"]>) =>
    showSignInForm(context, reply, place, { status, email, problem });
  context.knownEmail.set(reply, email);
  // Where nobody has a password, the page has no such form.
  const isLeftOut = context.openId(reply, { path: place.destination, app: null })?.only === true;
  if (isLeftOut || !context.formTokens.isValid(request, place.action)) return refuse(403, (texts) => texts.outOfDate);

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
      if (!(await context.secondFactor.isTrusted(request, confirmed.merchant))) {
        noteFacts(request, { outcome: "passkey_asked" });
        await context.steps.begin(reply, confirmed.merchant, confirmed.device);
        const { leadingTo } = context.returns;
        return redirectTo(reply, leadingTo(reply, SECOND_STEP_PATH, { path: place.destination, app: place.app }));
      }
      await recordSignIn(context, reply, confirmed.merchant, confirmed.device);
      await context.session.start(reply, confirmed.merchant, { at: Date.now(), by: "sign_in" });
      return redirectTo(reply, place.destination);
  }
}

interface SignInView {
  readonly elsewhere: OpenIdChoice | null;
  readonly place: SignInPlace;
  readonly forgotPath: string;
  readonly token: string;
  readonly email: string;
  readonly problem: string | null;
  readonly notice: string | null;
}

function signInView(view: SignInView, locale: Locale): Html {
  const texts = locale.texts.signIn;
  const { place, elsewhere } = view;
  const app = place.app === null ? null : named(place.app);
  const ask = elsewhere?.only ? null : passwordForm(view, locale);
  return cardPage(
    locale,
    { title: texts.title },
    html`${place.asking && askingApp(place.asking, locale)}
<p class="lead">${place.lead?.(locale.texts) ?? texts.lead(app)}</p>
${notice("done", view.notice)}
${notice("problem", view.problem !== null && html`<span id="problem">${view.problem}</span>`, !ask)}
${ask}
${elsewhere && html`<div class="actions elsewhere"><a class="${ask ? "button" : "button primary"}" href="${elsewhere.path}"><span>${texts.openId.button(named(elsewhere.name))}</span></a></div>`}
${ask && html`<p class="fine">${texts.safety(locale.frame.productName, html`<strong>${locale.frame.host}</strong>`)}</p>`}
${place.declinePath !== null && app !== null && html`<p class="aside"><a href="${place.declinePath}">${texts.decline(app)}</a></p>`}`,
  );
}

function passwordForm({ place, token, email, problem, forgotPath }: SignInView, locale: Locale): Html {
  const texts = locale.texts.signIn;
  // A merchant who comes back to the form has only the password to type.
  const [focusEmail, focusPassword] = email === "" ? [html` autofocus`, null] : [null, html` autofocus`];
  const describedBy = problem !== null && html` aria-describedby="problem"`;
  return html`<form method="post" action="${place.action}">
<input type="hidden" name="token" value="${token}">
<label for="email">${texts.email}</label>
<input id="email" name="email" type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required value="${email}"${focusEmail}${describedBy}>
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required${focusPassword}${describedBy}>
<div class="actions"><button class="primary">${texts.title}</button></div>
</form>
<p class="aside"><a href="${forgotPath}">${texts.forgot}</a></p>`;
}

/** Who asks, as on the page that follows. */
function askingApp({ client, returnHost }: NonNullable<SignInPlace["asking"]>, locale: Locale): Html {
  return html`<div class="app-name asks">${appIcon(client)}
<div><p><b>${named(client.name)}</b></p>
${publisher(client, locale)}
<p class="fine">${locale.texts.consent.lead(html`<strong>${returnHost}</strong>`)}</p></div></div>`;
}
