import { type Html, html } from "@partner-connect/service-runtime/html";
import { passwordField } from "../../pages/forms.ts";
import { cardPage, type Locale, notice } from "../../pages/frame.ts";
import { named } from "../../pages/names.ts";
import { passkeyForm } from "./passkeys.view.ts";
import type { Proof } from "./proof.ts";

export interface ProofView {
  /** After the password, or again of a merchant who is signed in. */
  readonly occasion: "sign_in" | "again";
  readonly email: string;
  readonly action: string;
  readonly token: string;
  /** The browser's options for a signature; null: there is no passkey, so the password is asked. */
  readonly options: object | null;
  /** The page that the proof leads to. */
  readonly back: string;
  /** Whether a merchant without a passkey may sign in again instead of typing a password, which they may not have. */
  readonly maySignInAgain: boolean;
  readonly problem: Exclude<Proof, { outcome: "right" }> | null;
}

export function proofView(view: ProofView, locale: Locale): Html {
  const { passkeys: texts, account, back } = locale.texts;
  const { problem, options } = view;
  const email = html`<strong>${named(view.email)}</strong>`;
  const lead = options === null ? texts.proof.byPassword(email) : texts.proof.byPasskey(email);
  return cardPage(
    locale,
    { title: texts.proof.title },
    html`<p class="lead">${lead}</p>
${notice("problem", problem && problemText(problem, locale))}
${options === null ? passwordForm(view, locale) : passkeyStep(view, options, locale)}
<p class="aside"><a href="${view.back}">${view.occasion === "sign_in" ? account.useAnother : back}</a></p>`,
  );
}

function passkeyStep({ action, token }: ProofView, options: object, locale: Locale): Html {
  const { proof } = locale.texts.passkeys;
  const { help } = locale.frame.links;
  return html`${passkeyForm({ action, token, ceremony: "get", options, button: proof.use }, locale)}
${help !== null && html`<p class="aside"><a href="${help}">${proof.lost}</a></p>`}`;
}

function passwordForm({ action, token, email, problem, maySignInAgain }: ProofView, { texts, frame }: Locale): Html {
  const isWrong = problem?.outcome === "wrong";
  const signInAgain =
    maySignInAgain &&
    html`<form method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<div class="actions"><button name="again" value="1">${texts.signIn.title}</button></div>
</form>`;
  if (!frame.hasPasswords) return html`${signInAgain}`;
  return html`<form method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<label for="email">${texts.signIn.email}</label>
<input id="email" type="email" autocomplete="username" readonly value="${email}">
${passwordField({
  name: "password",
  label: texts.password.present,
  kind: "current-password",
  problem: isWrong ? texts.password.problem.wrong : null,
  hasFocus: true,
})}
<div class="actions"><button class="primary">${texts.passkeys.proof.confirm}</button></div>
</form>
${signInAgain}`;
}

function problemText(problem: NonNullable<ProofView["problem"]>, { texts }: Locale): string | null {
  const { proof } = texts.passkeys;
  switch (problem.outcome) {
    case "throttled":
      return texts.signIn.tooManyAttempts(Math.ceil(problem.waitSeconds / 60));
    case "out_of_date":
      return texts.frame.outOfDate;
    case "wrong":
      return problem.field === "password" ? null : proof.wrong;
  }
}
