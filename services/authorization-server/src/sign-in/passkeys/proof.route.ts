import {
  findMerchant,
  type MerchantAccount,
  passkeysOf,
  shownAddress,
} from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply } from "fastify";
import { browserSecretOrNew, formToken, isOurForm } from "../../browser/csrf.ts";
import { requestedReturn, withSameReturn } from "../../browser/return-paths.ts";
import { PASSKEY_SCRIPT } from "../../pages/assets.ts";
import { formField, passwordField } from "../../pages/forms.ts";
import { cardPage, type Locale, notice } from "../../pages/frame.ts";
import { allowBreaks, isolatedName } from "../../pages/names.ts";
import {
  CONNECTED_APPS_PATH,
  HELP_PATH,
  PROOF_PATH,
  SECOND_STEP_PATH,
  SIGN_IN_PATH,
} from "../../pages/paths.ts";
import { redirectTo, sendPage } from "../../pages/send-page.ts";
import { recordSuccess } from "../confirm-password.ts";
import { recordSignIn } from "../record-sign-in.ts";
import { endSession, useSession } from "../session.ts";
import { signatureOptions } from "./ceremony.ts";
import { passkeyForm } from "./passkey-form.ts";
import {
  checkIdentity,
  endSecondStep,
  findSecondStep,
  identityPurpose,
  type ProofOutcome,
} from "./proof.ts";
import { startTrustedSession } from "./second-factor.ts";

type Occasion = ProofView["occasion"];

const STATUS = { right: 200, wrong: 422, out_of_date: 403, throttled: 429 } as const;

/**
 * The page that asks for a passkey or, before an action that needs a confirmed identity, for the
 * password of a merchant without a passkey. Then it redirects to its `return`.
 */
export function confirmRoutes(app: FastifyInstance): void {
  const { pagesSql } = app;

  for (const occasion of ["sign_in", "again"] as const) {
    const path = occasion === "sign_in" ? SECOND_STEP_PATH : PROOF_PATH;
    app.get(path, async (_, reply) => {
      const merchant = await findMerchantToConfirm(reply, occasion);
      return merchant ? await showPage(reply, merchant, occasion, null) : await redirectAway(reply);
    });
    const config = occasion === "sign_in" ? ({ counts: "sign_ins" } as const) : {};
    app.post(path, { config }, async (request, reply) => {
      const merchant = await findMerchantToConfirm(reply, occasion);
      if (!merchant) return await redirectAway(reply);
      const isOurs = isOurForm(request, path);
      const passkeys = await passkeysOf(pagesSql, merchant.id);
      if (isOurs && passkeys.length === 0 && formField(request.body, "again") !== "") {
        await endSession(reply);
        return redirectTo(reply, withSameReturn(reply, SIGN_IN_PATH));
      }
      const proof: ProofOutcome = isOurs
        ? await checkIdentity(reply, merchant, passkeys)
        : { outcome: "out_of_date" };
      if (proof.outcome !== "right") {
        if (proof.outcome === "throttled") reply.header("retry-after", proof.waitSeconds);
        noteFacts(request, { outcome: proof.outcome === "throttled" ? "throttled" : "refused" });
        return await showPage(reply, merchant, occasion, proof);
      }
      if (occasion === "sign_in") {
        await endSecondStep(request);
        noteFacts(request, { outcome: "signed_in" });
        await recordSuccess(reply, merchant.email, (device) =>
          recordSignIn(reply, merchant, device),
        );
      }
      await startTrustedSession(reply, merchant);
      return redirectTo(reply, requestedReturn(request)?.path ?? CONNECTED_APPS_PATH);
    });
  }

  /** The merchant who has to confirm their identity. */
  async function findMerchantToConfirm({ request }: FastifyReply, occasion: Occasion) {
    if (occasion === "again") return await useSession(request);
    const step = await findSecondStep(request);
    const merchant = step && (await findMerchant(pagesSql, step.merchantId));
    const goesOn = merchant?.status === "active" && merchant.sessionEpoch === step?.accountEpoch;
    return goesOn ? merchant : null;
  }

  /**
   * Redirects if nobody has to confirm their identity here: the sign-in took too long, was finished
   * in another tab or never began, or the session has ended.
   */
  async function redirectAway(reply: FastifyReply): Promise<FastifyReply> {
    const page = requestedReturn(reply.request)?.path ?? CONNECTED_APPS_PATH;
    return redirectTo(
      reply,
      (await useSession(reply.request)) ? page : withSameReturn(reply, SIGN_IN_PATH),
    );
  }
}

async function showPage(
  reply: FastifyReply,
  merchant: MerchantAccount,
  occasion: Occasion,
  problem: Exclude<ProofOutcome, { outcome: "right" }> | null,
): Promise<FastifyReply> {
  const path = occasion === "sign_in" ? SECOND_STEP_PATH : PROOF_PATH;
  const passkeys = await passkeysOf(reply.server.pagesSql, merchant.id);
  const asked = requestedReturn(reply.request);
  const options =
    passkeys.length > 0 ? await signatureOptions(reply, identityPurpose(merchant), passkeys) : null;
  const view: ProofView = {
    occasion,
    email: merchant.email,
    action: withSameReturn(reply, path),
    token: formToken(browserSecretOrNew(reply), path),
    options,
    back: asked?.path ?? CONNECTED_APPS_PATH,
    app: asked?.app ?? null,
    maySignInAgain: reply.server.config.openId !== null,
    problem,
  };
  return sendPage(reply, (locale) => proofView(view, locale), {
    status: problem ? STATUS[problem.outcome] : 200,
    ...(options !== null && { script: PASSKEY_SCRIPT }),
  });
}

interface ProofView {
  /** `sign_in`: the passkey follows the password. `again`: a signed-in merchant is asked again. */
  readonly occasion: "sign_in" | "again";
  readonly email: string;
  readonly action: string;
  readonly token: string;
  /** The browser's options for a signature. Null without a passkey: the password is asked for. */
  readonly options: object | null;
  /** The page to which the merchant returns. */
  readonly back: string;
  /** The app that waits for the sign-in, if any. */
  readonly app: string | null;
  /** True if a merchant without a passkey, who may have no password, may sign in again instead. */
  readonly maySignInAgain: boolean;
  readonly problem: Exclude<ProofOutcome, { outcome: "right" }> | null;
}

function proofView(view: ProofView, locale: Locale): Html {
  const { passkeys: texts, account, disconnect, signIn } = locale.texts;
  const { problem, options } = view;
  const email = html`<strong><bdi>${allowBreaks(shownAddress(view.email))}</bdi></strong>`;
  const { byPassword, byPasskey, bySignIn } = texts.proof;
  const again = locale.frame.hasPasswords ? byPassword(locale.frame.productName) : bySignIn;
  const lead = options === null ? again : byPasskey(email);
  const title = view.occasion === "sign_in" ? signIn.title : texts.title;
  const content = html`<p class="lead">${lead}</p>
${notice("problem", problem && problemText(problem, locale))}
${options === null ? passwordForm(view, locale) : passkeyStep(view, options, locale)}
<p class="aside"><a href="${view.back}">${view.occasion === "sign_in" ? account.useAnother : disconnect.keep}</a></p>`;
  const heading = view.app === null ? texts.proof.title : signIn.heading(isolatedName(view.app));
  return cardPage(locale, { title, heading }, content);
}

function passkeyStep({ action, token }: ProofView, options: object, locale: Locale): Html {
  const { proof } = locale.texts.passkeys;
  const { help } = locale.frame.links;
  return html`${passkeyForm({ action, token, ceremony: "get", options, button: proof.use }, locale)}
<p class="aside"><a href="${help}${help === HELP_PATH && "#lost-passkey"}">${proof.lost}</a></p>`;
}

function passwordForm(
  { action, token, email, problem, maySignInAgain }: ProofView,
  { texts, frame }: Locale,
): Html {
  const isWrong = problem?.outcome === "wrong";
  const signInAgain =
    maySignInAgain &&
    html`<form method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<div class="actions"><button${!frame.hasPasswords && html` class="primary"`} name="again" value="1">${texts.signIn.title}</button></div>
</form>`;
  if (!frame.hasPasswords) return html`${signInAgain}`;
  return html`<form method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<label for="email">${texts.signIn.email}</label>
<input id="email" type="email" autocomplete="username" readonly value="${shownAddress(email)}">
${passwordField({
  ...{ name: "password", label: texts.password.present, kind: "current-password" },
  problem: isWrong ? texts.password.problem.wrong : null,
  hasFocus: true,
})}
<div class="actions"><button class="primary">${texts.passkeys.proof.confirm}</button></div>
</form>
${signInAgain}`;
}

function problemText(problem: NonNullable<ProofView["problem"]>, { texts }: Locale): string | null {
  if (problem.outcome === "throttled")
    return texts.signIn.tooManyAttempts(Math.ceil(problem.waitSeconds / 60));
  if (problem.outcome === "out_of_date") return texts.frame.outOfDate;
  return problem.field === "password" ? null : texts.passkeys.proof.wrong;
}
