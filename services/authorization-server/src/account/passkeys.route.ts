import {
  addPasskey,
  DirectoryError,
  MAX_PASSKEYS,
  type MerchantAccount,
  type Passkey,
  passkeysOf,
  removePasskey,
} from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { merchantActor } from "../actor.ts";
import { browserSecretOrNew, formToken, isOurForm } from "../browser/csrf.ts";
import { redirectToSignIn } from "../browser/return-paths.ts";
import { PASSKEY_SCRIPT } from "../pages/assets.ts";
import { formField } from "../pages/forms.ts";
import { cardPage, type Locale, notice } from "../pages/frame.ts";
import { relativeTime } from "../pages/moment.ts";
import { isolatedName } from "../pages/names.ts";
import { PASSKEYS_PATH } from "../pages/paths.ts";
import { redirectTo, sendPage } from "../pages/send-page.ts";
import {
  newPasskeyOptions,
  readAnswer,
  relyingParty,
  useChallenge,
  verifyNewPasskey,
} from "../sign-in/passkeys/ceremony.ts";
import { passkeyForm } from "../sign-in/passkeys/passkey-form.ts";
import {
  confirmPath,
  mayChangePasskeys,
  startTrustedSession,
} from "../sign-in/passkeys/second-factor.ts";
import { requireSignIn, useSession } from "../sign-in/session.ts";
import type { Texts } from "../texts/en.ts";

const OUT_OF_DATE = { problem: "out_of_date", status: 403 } as const;

/** The page of passkeys. A change requires an identity confirmed within the last ten minutes. */
export function passkeysRoutes(app: FastifyInstance): void {
  const { pagesSql } = app;

  app.get(PASSKEYS_PATH, { preHandler: requireSignIn }, async (request, reply) => {
    const asked = formField(request.query, "done");
    return await showPage(reply, request.merchant, { done: DONE.find((each) => each === asked) });
  });

  // If the auth hostname is not a subdomain of the passkeys' domain, browsers ask here whether its
  // pages may use them (WebAuthn, §5.11).
  app.get("/.well-known/webauthn", async () => ({ origins: relyingParty(app.config).origins }));

  for (const [path, change] of [
    ["", add],
    ["/remove", remove],
  ] as const) {
    app.post(PASSKEYS_PATH + path, async (request, reply) => {
      const merchant = await useSession(request);
      if (!merchant) return redirectToSignIn(reply, PASSKEYS_PATH);
      if (!(await mayChangePasskeys(request, merchant)))
        return redirectTo(reply, confirmPath(reply, PASSKEYS_PATH));
      const changed = isOurForm(request, PASSKEYS_PATH)
        ? await change(request, reply, merchant)
        : OUT_OF_DATE;
      if (changed.problem) return await showPage(reply, merchant, changed);
      return redirectTo(reply, `${PASSKEYS_PATH}?done=${changed.done}`);
    });
  }

  async function add(
    request: FastifyRequest,
    reply: FastifyReply,
    merchant: MerchantAccount,
  ): Promise<Said> {
    const text = formField(request.body, "credential");
    const answer = readAnswer(text);
    if (!answer || !(await useChallenge(request, additionPurpose(merchant), answer.challenge)))
      return OUT_OF_DATE;
    const made = await verifyNewPasskey(request, answer.challenge, text);
    if (made === null) return { problem: "not_made", status: 422 };
    const passkey = { ...made, name: formField(request.body, "name") };
    const actor = merchantActor(request, merchant);
    const added = await addPasskey(pagesSql, merchant, passkey, actor).catch((error: unknown) => {
      if (error instanceof DirectoryError && error.code === "INVALID_NAME") return null;
      throw error;
    });
    if (added === null) return { problem: "name", status: 422 };
    if (added.outcome === "ended") return { problem: "out_of_date", status: 409 };
    await startTrustedSession(reply, added.merchant);
    return { done: "added" };
  }

  async function remove(
    request: FastifyRequest,
    reply: FastifyReply,
    merchant: MerchantAccount,
  ): Promise<Said> {
    const id = formField(request.body, "passkey");
    const removed = await removePasskey(pagesSql, merchant, id, merchantActor(request, merchant));
    if (removed.outcome === "ended") return { problem: "out_of_date", status: 409 };
    await startTrustedSession(reply, removed.merchant);
    return { done: "removed" };
  }
}

function additionPurpose({ id }: MerchantAccount): string {
  return `passkey for ${id}`;
}

async function showPage(
  reply: FastifyReply,
  former: MerchantAccount,
  said: Said,
): Promise<FastifyReply> {
  const { request } = reply;
  // The cause of the refusal may have ended the session too.
  const merchant = said.problem === undefined ? former : await useSession(request);
  if (!merchant) return redirectToSignIn(reply, PASSKEYS_PATH);
  const passkeys = await passkeysOf(reply.server.pagesSql, merchant.id);
  const mayChange = await mayChangePasskeys(request, merchant);
  const options =
    mayChange && passkeys.length < MAX_PASSKEYS
      ? await newPasskeyOptions(reply, additionPurpose(merchant), merchant, passkeys)
      : null;
  const view: PasskeysView = {
    passkeys,
    token: formToken(browserSecretOrNew(reply), PASSKEYS_PATH),
    confirmPath: mayChange ? null : confirmPath(reply, PASSKEYS_PATH),
    options,
    said,
  };
  return sendPage(reply, (locale) => passkeysView(view, locale), {
    status: said.status ?? 200,
    account: merchant,
    ...(options !== null && { script: PASSKEY_SCRIPT }),
  });
}

type PasskeyProblem = keyof Texts["passkeys"]["problem"] | "out_of_date";

const DONE = ["added", "removed"] as const;

/** The outcome of a posted change, which the page reports. */
interface Said {
  readonly done?: (typeof DONE)[number] | undefined;
  readonly problem?: PasskeyProblem;
  readonly status?: number;
}

interface PasskeysView {
  readonly passkeys: readonly Passkey[];
  readonly token: string;
  /** The page that asks to confirm the identity; null if the merchant may change passkeys now. */
  readonly confirmPath: string | null;
  /** The browser's options for a new passkey; null if the merchant can't add one now. */
  readonly options: object | null;
  readonly said: Said;
}

function passkeysView(view: PasskeysView, locale: Locale): Html {
  const texts = locale.texts.passkeys;
  const { passkeys, options, confirmPath, token } = view;
  const { done, problem } = view.said;
  const isOutOfDate = problem === "out_of_date";
  const content = html`<p class="lead">${texts.lead}</p>
${notice("done", done && texts.done[done])}
${notice(isOutOfDate ? "caution" : "problem", isOutOfDate ? locale.texts.frame.outOfDate : problem && texts.problem[problem])}
${passkeys.length > 0 && html`<ul class="rows">${passkeys.map((each) => passkeyItem(each, view, locale))}</ul>`}
${confirmPath !== null && html`<div class="actions"><a class="button primary" href="${confirmPath}">${texts.proof.title}</a></div>`}
${
  options !== null &&
  html`<h2 class="next">${texts.add}</h2>
${passkeyForm(
  {
    action: PASSKEYS_PATH,
    token,
    ceremony: "create",
    options,
    button: texts.add,
    fields: html`<label for="name">${texts.name}</label>
<input id="name" name="name" type="text" autocomplete="off" maxlength="100" required value="${texts.newName}${passkeys.length > 0 && ` ${passkeys.length + 1}`}">`,
  },
  locale,
)}`
}`;
  return cardPage(locale, { title: texts.title }, content);
}

function passkeyItem(
  { id, name, createdAt, lastUsedAt }: Passkey,
  view: PasskeysView,
  locale: Locale,
): Html {
  const texts = locale.texts.passkeys;
  return html`<li class="row"><div><b>${isolatedName(name)}</b>
<p class="fine">${texts.since(relativeTime(createdAt, locale))} ${lastUsedAt && texts.used(relativeTime(lastUsedAt, locale))}</p>
${
  view.confirmPath === null &&
  html`<details><summary>${locale.texts.disconnect.remove}</summary>
<form method="post" action="${PASSKEYS_PATH}/remove">
<input type="hidden" name="token" value="${view.token}"><input type="hidden" name="passkey" value="${id}">
<p>${view.passkeys.length === 1 && `${texts.removesLast} `}${locale.texts.password.change.lead}</p>
<div class="aside"><button class="primary danger">${texts.remove}</button></div></form></details>`
}</div></li>`;
}
