import { shownAddress, verifyPassword } from "@partner-connect/directory";
import { noteFacts, type Redis, WindowCounts } from "@partner-connect/service-runtime";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { browserSecretOrNew, formToken, isOurForm } from "../browser/csrf.ts";
import {
  knownEmail,
  requestedReturn,
  withReturnTo,
  withSameReturn,
} from "../browser/return-paths.ts";
import { iconPair } from "../pages/app-identity.ts";
import { PASSWORDS_SCRIPT } from "../pages/assets.ts";
import { formField } from "../pages/forms.ts";
import { cardPage, contactUs, formProblem, type Locale, notice } from "../pages/frame.ts";
import { isolatedName } from "../pages/names.ts";
import {
  CONNECTED_APPS_PATH,
  FORGOT_PASSWORD_PATH,
  LANGUAGE_PATH,
  SECOND_STEP_PATH,
  SIGN_IN_PATH,
  SIGN_OUT_PATH,
} from "../pages/paths.ts";
import { redirectTo, sendPage } from "../pages/send-page.ts";
import type { Texts } from "../texts/en.ts";
import { confirmPassword, recordSuccess } from "./confirm-password.ts";
import { knownDevices, knownSources } from "./known-devices.ts";
import { type OpenIdChoice, openIdChoice, openIdRoutes } from "./openid/openid.route.ts";
import { confirmRoutes } from "./passkeys/proof.route.ts";
import { beginSecondStep } from "./passkeys/proof.ts";
import { maySkipPasskey } from "./passkeys/second-factor.ts";
import { passwordQueue } from "./password-queue.ts";
import { recordSignIn } from "./record-sign-in.ts";
import { endSession, presentsSession, startSession, useSession } from "./session.ts";
import { signInThrottle } from "./sign-in-throttle.ts";

declare module "fastify" {
  interface FastifyInstance {
    readonly signIn: ReturnType<typeof signInState>;
  }
}

/** The throttles, counters and known devices of sign-ins. */
function signInState(redis: Redis) {
  const sources = knownSources(redis);
  return {
    sources,
    throttle: signInThrottle(redis),
    /** Counts attempts at a second factor. */
    attempts: new WindowCounts(10 * 60, { redis, prefix: "second_factor" }),
    /** Counts the pages and actions of a signed-in person. */
    pages: new WindowCounts(60, { redis, prefix: "pages" }),
    devices: knownDevices(redis),
    hashing: passwordQueue(sources),
  };
}

/** The form leads back to the page that redirected to the sign-in, or to the connected apps. */
function signInContextOf(reply: FastifyReply): SignInContext {
  const asked = requestedReturn(reply.request);
  return {
    action: withSameReturn(reply, SIGN_IN_PATH),
    secret: browserSecretOrNew(reply),
    destination: asked?.path ?? CONNECTED_APPS_PATH,
    app: asked?.app ?? null,
  };
}

export function signInRoutes(app: FastifyInstance): void {
  app.decorate("signIn", signInState(app.redis));
  app.decorateRequest("merchant");
  // The first check of an unknown account makes the hash that later ones use, which no merchant
  // should wait for.
  app.addHook("onReady", async () => void (await verifyPassword(null, "")));

  app.get(SIGN_IN_PATH, async (request, reply) => {
    const context = signInContextOf(reply);
    return (await useSession(request))
      ? redirectTo(reply, context.destination)
      : showSignInForm(reply, context);
  });
  app.post(SIGN_IN_PATH, { config: { counts: "sign_ins" } }, (_, reply) =>
    signIn(reply, signInContextOf(reply)),
  );

  // A merchant gets here by reloading the page of a failed sign-out, or changing its language.
  app.get(SIGN_OUT_PATH, async (_, reply) => redirectTo(reply, CONNECTED_APPS_PATH));
  app.post(SIGN_OUT_PATH, async (request, reply) => {
    if (!isOurForm(request, SIGN_OUT_PATH)) return redirectTo(reply, CONNECTED_APPS_PATH);
    await endSession(reply);
    return redirectTo(reply, withSameReturn(reply, `${SIGN_IN_PATH}?signed_out=1`));
  });

  confirmRoutes(app);
  openIdRoutes(app);
}

/** How a sign-in form is filled in and sent. Its paths contain no unescaped part of the request. */
export interface SignInContext {
  /** The path to which the form is sent. */
  readonly action: string;
  /** The secret that the form's token is made with. */
  readonly secret: string;
  /** The path to which the merchant is redirected after signing in. */
  readonly destination: string;
  /** The app that waits for a decision, if any. */
  readonly app: string | null;
  readonly logoPath?: string | null;
  /** The prefilled email. Default: the one that was used last in this browser. */
  readonly email?: string | null;
}

interface SignInMessage {
  /** Default: 200. */
  readonly status?: number;
  readonly email?: string;
  readonly problem?: (locale: Locale) => Html | string;
}

export function showSignInForm(
  reply: FastifyReply,
  context: SignInContext,
  { status = 200, email: typed, problem }: SignInMessage = {},
): FastifyReply {
  const { request } = reply;
  const token = formToken(context.secret, context.action);
  const email = typed ?? context.email ?? knownEmail.read(request) ?? "";
  const { destination: path, app } = context;
  const isDefault = path === CONNECTED_APPS_PATH;
  const forgotPath = isDefault
    ? FORGOT_PASSWORD_PATH
    : withReturnTo(reply, FORGOT_PASSWORD_PATH, { path, app });
  const openId = openIdChoice(reply, { path, app });
  const page = (locale: Locale) => {
    const notice = problem ? null : noticeFor(request, locale.texts.signIn);
    const view = { context, forgotPath, token, email, openId, notice };
    return signInView({ ...view, problem: problem?.(locale) ?? null }, locale);
  };
  return sendPage(reply, page, { status, ...(!openId?.only && { script: PASSWORDS_SCRIPT }) });
}

/** The message about the event that the query names, or about the session that has ended. */
function noticeFor(request: FastifyRequest, texts: Texts["signIn"]): string | null {
  if (formField(request.query, "password_changed") !== "") return texts.passwordChanged;
  if (formField(request.query, "signed_out") !== "") return texts.signedOut;
  return presentsSession(request) ? texts.sessionEnded : null;
}

const OUTCOMES = {
  right: "signed_in",
  wrong: "refused",
  paused: "refused",
  throttled: "throttled",
} as const;

/** Responds to a sign-in form: with a session and a redirect, or the form with the problem. */
export async function signIn(reply: FastifyReply, context: SignInContext): Promise<FastifyReply> {
  const { request } = reply;
  const email = formField(request.body, "email").trim();
  const refuse = (status: number, problem: NonNullable<SignInMessage["problem"]>) =>
    showSignInForm(reply, context, { status, email, problem });
  knownEmail.set(reply, email);
  // If passwords are off (OIDC_ONLY), the page has no password form.
  const isLeftOut = reply.server.config.openId?.only === true;
  if (isLeftOut || !isOurForm(request, context.action, context.secret))
    return refuse(403, formProblem(request));

  const confirmed = await confirmPassword(reply, email, formField(request.body, "password"));
  noteFacts(request, { outcome: OUTCOMES[confirmed.outcome] });
  switch (confirmed.outcome) {
    case "throttled":
      reply.header("retry-after", confirmed.waitSeconds);
      return refuse(429, ({ texts }) =>
        texts.signIn.tooManyAttempts(Math.ceil(confirmed.waitSeconds / 60)),
      );
    case "wrong":
      return refuse(422, ({ texts }) => texts.signIn.wrong);
    case "paused":
      return refuse(
        403,
        (locale) =>
          html`${locale.texts.signIn.paused} ${contactUs(locale, locale.frame.links.contact)}`,
      );
    case "right":
      if (!(await maySkipPasskey(request, confirmed.merchant))) {
        noteFacts(request, { outcome: "passkey_asked" });
        await beginSecondStep(reply, confirmed.merchant);
        const back = { path: context.destination, app: context.app };
        return redirectTo(reply, withReturnTo(reply, SECOND_STEP_PATH, back));
      }
      await recordSuccess(reply, email, (device) =>
        recordSignIn(reply, confirmed.merchant, device),
      );
      await startSession(reply, confirmed.merchant, { at: Date.now(), by: "sign_in" });
      return redirectTo(reply, context.destination);
  }
}

interface SignInView {
  readonly openId: OpenIdChoice | null;
  readonly context: SignInContext;
  readonly forgotPath: string;
  readonly token: string;
  readonly email: string;
  readonly problem: Html | string | null;
  readonly notice: string | null;
}

/**
 * The sign-in form. For a waiting app it has the app's logo and the purpose of signing in; the next
 * page has the details.
 */
function signInView(view: SignInView, locale: Locale): Html {
  const texts = locale.texts.signIn;
  const { context, openId } = view;
  const ask = openId?.only ? null : passwordForm(view, locale);
  return cardPage(
    locale,
    {
      title: texts.title,
      heading: context.app === null ? texts.lead : texts.heading(isolatedName(context.app)),
      ...(context.app !== null && {
        icon: iconPair({ name: context.app, logoPath: context.logoPath ?? null }, locale),
      }),
      ...(ask && {
        shownAgainBy: { form: SIGN_IN_FORM, path: languagePath(locale.frame.path ?? SIGN_IN_PATH) },
      }),
    },
    html`${notice("done", view.notice)}
${notice("problem", view.problem !== null && html`<span id="problem">${view.problem}</span>`, !ask)}
${ask}
${openId && html`<div class="actions elsewhere"><a class="${ask ? "button" : "button primary"}" href="${openId.path}"><span>${texts.openId.button(isolatedName(openId.name))}</span></a></div>`}
${ask && html`<p class="fine">${texts.safety(locale.frame.productName, html`<strong>${locale.frame.host}</strong>`)}</p>`}`,
  );
}

const SIGN_IN_FORM = "sign-in";

/** The address that shows another page and keeps the email typed in the form. */
const languagePath = (page: string) => `${LANGUAGE_PATH}?${new URLSearchParams({ page })}`;

function passwordForm({ context, token, email, problem, forgotPath }: SignInView, locale: Locale) {
  const texts = locale.texts.signIn;
  // If the email is filled in, only the password is missing.
  const [focusEmail, focusPassword] =
    email === "" ? [html` autofocus`, null] : [null, html` autofocus`];
  const describedBy = problem !== null && html` aria-describedby="problem"`;
  return html`<form method="post" action="${context.action}" id="${SIGN_IN_FORM}">
<input type="hidden" name="token" value="${token}">
<label for="email">${texts.email}</label>
<input id="email" name="email" type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required value="${shownAddress(email)}"${focusEmail}${describedBy}>
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required${focusPassword}${describedBy}>
<button type="button" class="link" id="show-passwords" aria-pressed="false" hidden>${texts.show}</button>
<div class="actions"><button class="primary">${texts.title}</button></div>
<p class="aside"><button class="link" formaction="${languagePath(forgotPath)}" formnovalidate>${texts.forgot}</button></p>
</form>`;
}
