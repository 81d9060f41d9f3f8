import { MIN_PASSWORD_LENGTH, normalizedPassword, type PasswordProblem } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { Texts } from "../texts/en.ts";
import { formField } from "./form-token.ts";

interface PasswordField {
  readonly name: string;
  readonly label: string;
  readonly kind: "current-password" | "new-password";
  readonly hint?: string;
  readonly problem?: string | null;
  readonly hasFocus?: boolean;
}

/** A field for a password, with what is wrong with it, as password managers and screen readers understand it. */
export function passwordField({ name, label, kind, hint, problem = null, hasFocus = false }: PasswordField): Html {
  const notes = [hint !== undefined && `${name}-hint`, problem !== null && `${name}-problem`].filter(
    (id) => id !== false,
  );
  // Browsers judge the least length themselves, in the reader's language. There is no maxlength: it would cut silently.
  const least = MIN_PASSWORD_LENGTH.person;
  const isNew = kind === "new-password";
  return html`<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="fine" id="${name}-hint">${hint}</p>`}
${problem !== null && html`<p class="field-problem" id="${name}-problem">${problem}</p>`}
<input id="${name}" name="${name}" type="password" autocomplete="${kind}" required${isNew && html` minlength="${least}" passwordrules="minlength: ${least};"`}${hasFocus && html` autofocus`}${problem !== null && html` aria-invalid="true"`}${notes.length > 0 && html` aria-describedby="${notes.join(" ")}"`}>`;
}

/** The new password, twice: without scripts nobody can look at what was typed. */
export function newPasswordFields(
  texts: Texts["password"],
  problem: PasswordFieldProblem | null,
  hasFocus: boolean,
): Html {
  const isRepeated = problem === "not_repeated";
  const text = problem === null ? null : texts.problem[problem];
  return html`${passwordField({
    name: "new_password",
    label: texts.chosen,
    kind: "new-password",
    hint: texts.rule,
    problem: isRepeated ? null : text,
    hasFocus: hasFocus && !isRepeated,
  })}
${passwordField({
  name: "new_password_again",
  label: texts.repeated,
  kind: "new-password",
  problem: isRepeated ? text : null,
  hasFocus: hasFocus && isRepeated,
})}`;
}

export type PasswordFieldProblem = PasswordProblem | "same" | "not_repeated";

/** The new password of a posted form, as it was typed; or null if its two fields differ. */
export function newPassword(body: unknown): string | null {
  const chosen = formField(body, "new_password");
  const again = formField(body, "new_password_again");
  return normalizedPassword(chosen) === normalizedPassword(again) ? chosen : null;
}
