import type { PasswordProblem } from "@partner-connect/directory";
import { formField } from "./form-field.ts";

/** What can be wrong with a new password in a form. */
export type PasswordFieldProblem = PasswordProblem | "same" | "not_repeated";

/** The new password of a posted form, or null if its two fields differ. */
export function newPassword(body: unknown): string | null {
  const chosen = formField(body, "new_password");
  return chosen === formField(body, "new_password_again") ? chosen : null;
}
