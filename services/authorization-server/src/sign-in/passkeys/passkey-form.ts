import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { Locale } from "../../pages/frame.ts";

interface PasskeyForm {
  readonly action: string;
  readonly token: string;
  /** Whether the form signs with a passkey or creates one. */
  readonly ceremony: "get" | "create";
  readonly options: object;
  readonly button: string;
  readonly fields?: HtmlValue;
}

/**
 * A form that our script sends with a passkey's response. If the browser doesn't support passkeys,
 * a line of text replaces the form.
 */
export function passkeyForm(form: PasskeyForm, { texts }: Locale): Html {
  const { proof } = texts.passkeys;
  return html`<p class="fine" id="no-passkey">${proof.noPasskey}</p>
<form method="post" action="${form.action}" id="passkey" data-ceremony="${form.ceremony}" data-options="${JSON.stringify(form.options)}" hidden>
<input type="hidden" name="token" value="${form.token}">
<input type="hidden" name="credential" autocomplete="off">
${form.fields}
<p class="field-problem" role="alert" id="passkey-problem" hidden>${proof.failed}</p>
<div class="actions"><button class="primary">${form.button}</button></div>
</form>`;
}
