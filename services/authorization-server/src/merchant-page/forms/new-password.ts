import { normalizedPassword, type PasswordProblem } from "@partner-connect/directory";
import { formField } from "./form-field.ts";

/** What can be wrong with a new password in a form. */
export type PasswordFieldProblem = PasswordProblem | "same" | "not_repeated";

/** The new password of a posted form, as it was typed; or null if its two fields differ. */
export function newPassword(body: unknown): string | null {
  const chosen = formField(body, "new_password");
  const again = formField(body, "new_password_again");
  return normalizedPassword(chosen) === normalizedPassword(again) ? chosen : null;
}
