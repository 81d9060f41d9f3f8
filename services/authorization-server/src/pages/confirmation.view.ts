import { type Html, html } from "@partner-connect/service-runtime/html";

export interface ConfirmationForm {
  readonly action: string;
  readonly token: string;
  /** Where who leaves all as it is goes. */
  readonly back: string;
}

/** The form of a page that asks before something ends. */
export function confirmation({ action, token, back }: ConfirmationForm, submit: string, keep: string): Html {
  return html`<form method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<div class="actions">
<button class="danger filled">${submit}</button>
<a class="button" href="${back}">${keep}</a>
</div>
</form>`;
}
