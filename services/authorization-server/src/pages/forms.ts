import { MIN_PASSWORD_LENGTH } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";

/** A field of a posted form or a query; empty if it is missing or repeated. */
export function formField(body: unknown, name: string): string {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, name)) return "";
  const value = (body as Record<string, unknown>)[name];
  return typeof value === "string" ? value : "";
}

/** Maximum characters of a percent-encoded path, so that it fits in the limited body of a form. */
const MAX_PATH_LENGTH = 12_000;

/** The path with its query; null if it is not on this host, or too long for a form. */
export function ownPath(text: string): string | null {
  if (!text.startsWith("/") || encodeURIComponent(text).length > MAX_PATH_LENGTH) return null;
  const url = URL.parse(text, "https://this.host");
  // After its dot segments are resolved the path must not begin with `//`, because browsers read a
  // host there.
  if (url?.origin !== "https://this.host" || url.pathname.startsWith("//")) return null;
  return url.pathname + url.search;
}

/** A form that asks for confirmation. `back`: the URL of the link that cancels. */
export function confirmation(
  { action, token, back }: Readonly<Record<"action" | "token" | "back", string>>,
  submit: string,
  keep: string,
): Html {
  return html`<form method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<div class="actions">
<button class="primary danger">${submit}</button>
<a class="button" href="${back}">${keep}</a>
</div>
</form>`;
}

interface PasswordField {
  readonly name: string;
  readonly label: string;
  readonly kind: "current-password" | "new-password";
  readonly hint?: string;
  readonly problem?: string | null;
  readonly hasFocus?: boolean;
}

/** A field for a password, with its problem, marked up for password managers and screen readers. */
export function passwordField(field: PasswordField): Html {
  const { name, label, kind, hint, problem = null, hasFocus = false } = field;
  const notes = [
    hint !== undefined && `${name}-hint`,
    problem !== null && `${name}-problem`,
  ].filter((id) => id !== false);
  // Browsers check the minimum length, and report it in the reader's language. There is no
  // maxlength, which would truncate silently.
  const least = MIN_PASSWORD_LENGTH.person;
  const isNew = kind === "new-password";
  return html`<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="fine" id="${name}-hint">${hint}</p>`}
${problem !== null && html`<p class="field-problem" id="${name}-problem">${problem}</p>`}
<input id="${name}" name="${name}" type="password" autocomplete="${kind}" required${isNew && html` minlength="${least}" passwordrules="minlength: ${least};"`}${hasFocus && html` autofocus`}${problem !== null && html` aria-invalid="true"`}${notes.length > 0 && html` aria-describedby="${notes.join(" ")}"`}>`;
}
