import {
  changePassword,
  findResetLink,
  normalizedPassword,
  type PasswordProblem,
  RESET_PASSWORD_PATH,
  resetPassword,
  shownAddress,
} from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { merchantActor, originOf } from "../actor.ts";
import { browserSecretOrNew, formToken, isOurForm } from "../browser/csrf.ts";
import { languageFor } from "../browser/locale.ts";
import {
  knownEmail,
  redirectToSignIn,
  rememberedPage,
  withReturnTo,
} from "../browser/return-paths.ts";
import { PASSWORDS_SCRIPT } from "../pages/assets.ts";
import { formField, passwordField } from "../pages/forms.ts";
import { cardPage, type Locale, notice } from "../pages/frame.ts";
import {
  CONNECTED_APPS_PATH,
  FORGOT_PASSWORD_PATH,
  PASSWORD_PATH,
  SIGN_IN_PATH,
} from "../pages/paths.ts";
import { redirectTo, sendPage } from "../pages/send-page.ts";
import { confirmPassword, recordSuccess } from "../sign-in/confirm-password.ts";
import { deviceAndAddress } from "../sign-in/record-sign-in.ts";
import { endSession, lastProof, requireSignIn, startSession } from "../sign-in/session.ts";
import type { Texts } from "../texts/en.ts";

/** Password managers open this path: https://w3c.github.io/webappsec-change-password-url/ */
const WELL_KNOWN_PATH = "/.well-known/change-password";

export function changePasswordRoute(app: FastifyInstance): void {
  app.get(WELL_KNOWN_PATH, async (_, reply) => redirectTo(reply, PASSWORD_PATH));

  app.get(PASSWORD_PATH, { preHandler: requireSignIn }, async (request, reply) =>
    Object.hasOwn(request.query as object, "changed")
      ? sendPage(reply, changedView, { account: request.merchant })
      : showChangeForm(reply, {}),
  );

  app.post(PASSWORD_PATH, { preHandler: requireSignIn }, async (request, reply) => {
    const { merchant } = request;
    const refuse = (status: number, problem: Message) => showChangeForm(reply, problem, status);
    if (!isOurForm(request, PASSWORD_PATH)) return refuse(403, { isOutOfDate: true });

    const present = formField(request.body, "password");
    const chosen = newPassword(request.body);
    if (chosen === null) return refuse(422, { newProblem: "not_repeated" });
    const confirmed = await confirmPassword(reply, merchant.email, present);
    if (confirmed.outcome === "throttled") {
      reply.header("retry-after", confirmed.waitSeconds);
      return refuse(429, { waitMinutes: Math.ceil(confirmed.waitSeconds / 60) });
    }
    if (confirmed.outcome !== "right") return refuse(422, { isWrong: true });
    await recordSuccess(reply, merchant.email);
    if (normalizedPassword(chosen) === normalizedPassword(present))
      return refuse(422, { newProblem: "same" });

    const actor = merchantActor(request, merchant);
    const owner = { ...confirmed.merchant, product: app.config.product.name };
    const change = await app.signIn.hashing(request, () =>
      changePassword(app.pagesSql, { ...owner, source: deviceAndAddress(request) }, chosen, actor),
    );
    if (change.outcome === "refused") return refuse(422, { newProblem: change.problem });
    if (change.outcome === "ended") return redirectToSignIn(reply);
    request.log.info({ merchant_id: merchant.id }, "password changed");
    // The new session keeps the time at which the identity was last confirmed.
    await startSession(reply, change.merchant, await lastProof(request));
    return redirectTo(reply, `${PASSWORD_PATH}?changed=1`);
  });
}

function changedView(locale: Locale): Html {
  const { connectedApps, password } = locale.texts;
  const content = html`<p class="lead">${password.change.doneLead}</p>
<div class="actions"><a class="button primary" href="${CONNECTED_APPS_PATH}">${connectedApps.title}</a></div>`;
  return cardPage(locale, { title: password.change.done }, content);
}

/** The message above a form that is shown again, and its fields' problems. */
interface Message {
  readonly isOutOfDate?: boolean;
  readonly isWrong?: boolean;
  readonly waitMinutes?: number;
  readonly newProblem?: PasswordFieldProblem;
}

function showChangeForm(reply: FastifyReply, message: Message, status = 200): FastifyReply {
  const { merchant } = reply.request;
  const form = {
    action: PASSWORD_PATH,
    email: merchant.email,
    token: formToken(browserSecretOrNew(reply), PASSWORD_PATH),
  };
  const { isWrong = false, newProblem } = message;
  const page = (locale: Locale) => {
    const { change, present, problem } = locale.texts.password;
    const field = passwordField({
      ...{ name: "password", label: present, kind: "current-password" },
      ...(newProblem && { hint: problem.again }),
      problem: isWrong ? problem.wrong : null,
      hasFocus: newProblem === undefined,
    });
    return passwordPage(locale, { ...change, ...form }, message, field);
  };
  return sendPage(reply, page, { status, account: merchant, script: PASSWORDS_SCRIPT });
}

type PasswordForm = Readonly<Record<"lead" | "submit" | "action" | "email" | "token", string>>;

/** The form for a new password. `before`: the field that only signed-in merchants see. */
function passwordPage(
  locale: Locale,
  { lead, submit, action, email, token }: PasswordForm,
  { isOutOfDate, waitMinutes, newProblem }: Message,
  before?: Html,
): Html {
  const { frame, password, signIn } = locale.texts;
  const problem = isOutOfDate
    ? frame.outOfDate
    : waitMinutes !== undefined && signIn.tooManyAttempts(waitMinutes);
  const content = html`<p class="lead">${lead}</p>
${notice(isOutOfDate ? "caution" : "problem", problem)}
<form method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<label for="email">${signIn.email}</label>
<input id="email" type="email" autocomplete="username" readonly value="${shownAddress(email)}">
${before}
${newPasswordFields(password, newProblem, newProblem !== undefined || !before)}
<button type="button" class="link" id="show-passwords" aria-pressed="false" hidden>${password.show}</button>
<div class="actions"><button class="primary">${submit}</button>
${before && html`<a class="button" href="${CONNECTED_APPS_PATH}">${locale.texts.disconnect.keep}</a>`}</div>
</form>`;
  return cardPage(locale, { title: submit, heading: password.heading }, content);
}

type Link = { Querystring: { link?: unknown } };

/**
 * The page that sets a password by a link from an operator or a mail. Opening the page does not use
 * the link up, because mail programs open links. The link appears in neither logs nor referrers.
 */
export function resetPasswordRoute(app: FastifyInstance): void {
  const { pagesSql } = app;

  app.get<Link>(RESET_PASSWORD_PATH, async (request, reply) => {
    const token = tokenOf(request);
    const merchant = token && (await findResetLink(pagesSql, token));
    return merchant ? showResetForm(reply, token, merchant.email) : sendLinkEnded(reply);
  });

  app.post<Link>(RESET_PASSWORD_PATH, async (request, reply) => {
    const token = tokenOf(request);
    const merchant = token && (await findResetLink(pagesSql, token));
    if (!merchant) return sendLinkEnded(reply);
    const refuse = (status: number, problem: Message) =>
      showResetForm(reply, token, merchant.email, problem, status);
    if (!isOurForm(request, RESET_PASSWORD_PATH)) return refuse(403, { isOutOfDate: true });

    const chosen = newPassword(request.body);
    if (chosen === null) return refuse(422, { newProblem: "not_repeated" });
    const [product, source] = [app.config.product.name, deviceAndAddress(request)];
    const page = { product, source, language: languageFor(reply).texts.language };
    const reset = () => resetPassword(pagesSql, token, chosen, originOf(request), page);
    const change = await app.signIn.hashing(request, reset);
    if (change.outcome === "refused") return refuse(422, { newProblem: change.problem });
    if (change.outcome === "ended") return sendLinkEnded(reply);
    request.log.info({ merchant_id: merchant.id }, "password reset by a link");
    // End even another merchant's session, because the next page asks for this password.
    await endSession(reply);
    await recordSuccess(reply, merchant.email);
    knownEmail.set(reply, merchant.email);
    return redirectTo(reply, nextPath(reply));
  });
}

/** The sign-in, which leads back to the remembered page. An authorization has its own sign-in. */
function nextPath(reply: FastifyReply): string {
  const next = rememberedPage(reply.request);
  if (next?.app) return `${next.path}&password_changed=1`;
  const signIn = `${SIGN_IN_PATH}?password_changed=1`;
  return next ? withReturnTo(reply, signIn, next) : signIn;
}

/** The link's token, or null if it doesn't look like one of ours. */
function tokenOf(request: FastifyRequest<Link>): string | null {
  const { link } = request.query;
  return typeof link === "string" && /^pcl_[\w-]{43}$/.test(link) ? link : null;
}

function showResetForm(
  reply: FastifyReply,
  link: string,
  email: string,
  message: Message = {},
  status = 200,
): FastifyReply {
  const action = `${RESET_PASSWORD_PATH}?link=${link}`;
  const form = { action, email, token: formToken(browserSecretOrNew(reply), RESET_PASSWORD_PATH) };
  const page = (locale: Locale) =>
    passwordPage(locale, { ...locale.texts.password.reset, ...form }, message);
  return sendPage(reply, page, { status, hasSecretUrl: true, script: PASSWORDS_SCRIPT });
}

/** Sends the same page for a link that was used, has expired, was replaced or never existed. */
function sendLinkEnded(reply: FastifyReply): FastifyReply {
  const page = (locale: Locale) => {
    const { title, lead, again } = locale.texts.password.ended;
    const content = html`<p class="lead">${lead}</p>
<div class="actions"><a class="button primary" href="${FORGOT_PASSWORD_PATH}">${again}</a>
<a class="button" href="${SIGN_IN_PATH}">${locale.texts.signIn.title}</a></div>`;
    return cardPage(locale, { title }, content);
  };
  return sendPage(reply, page, { status: 410, hasSecretUrl: true });
}

/** A new password has two fields, because without a script the typed text can't be shown. */
function newPasswordFields(
  texts: Texts["password"],
  problem: PasswordFieldProblem | undefined,
  hasFocus: boolean,
): Html {
  const isRepeated = problem === "not_repeated";
  const text = problem === undefined ? null : texts.problem[problem];
  const field = (name: string, label: string, isHere: boolean, hint = {}) =>
    passwordField({
      ...{ name, label, kind: "new-password", ...hint },
      ...{ problem: isHere ? text : null, hasFocus: hasFocus && isHere },
    });
  return html`${field("new_password", texts.chosen, !isRepeated, { hint: texts.rule })}
${field("new_password_again", texts.repeated, isRepeated)}`;
}

type PasswordFieldProblem = PasswordProblem | "same" | "not_repeated";

/** The new password of a posted form, as typed; or null if its two fields differ. */
function newPassword(body: unknown): string | null {
  const chosen = formField(body, "new_password");
  const again = formField(body, "new_password_again");
  return normalizedPassword(chosen) === normalizedPassword(again) ? chosen : null;
}
