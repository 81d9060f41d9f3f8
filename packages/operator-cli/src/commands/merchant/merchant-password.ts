import type { Command } from "commander";
import { lengthNote, newPassword, type PasswordOptions, takesPassword } from "../../options/new-password.ts";
import { onDatabase } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import { merchantWithPassword } from "./merchant-answer.ts";
import { passwordLink } from "./new-account.ts";

export function addSetPasswordCommand(merchant: Command, context: Context): void {
  const setPassword = merchant
    .command("set-password")
    .description("Give a merchant another password; all sessions and links to reset it end (better: reset-link)")
    .argument("<email>", "the merchant's email");
  takesPassword(setPassword, "without either option it is asked for, at least 15 characters").action(
    onDatabase(context, async ({ sql, actor }, email: string, options: PasswordOptions) => {
      const { setPassword: set, showMerchant } = await import("@partner-connect/directory");
      const merchant = await showMerchant(sql, email); // before anything is asked
      const chosen = await newPassword(context, options);
      const { password, passwordFrom } = chosen;
      await set(sql, { email: merchant.email, password, passwordFrom }, actor);
      const sentence = `${merchant.name} has the new password and is signed out everywhere.`;
      return { ...merchantWithPassword(sentence, merchant, chosen), note: await lengthNote(chosen) };
    }),
  );
}

export function addResetLinkCommand(merchant: Command, context: Context): void {
  merchant
    .command("reset-link")
    .description(
      "Make a link by which the merchant sets a new password, once and within 30 minutes; an earlier link ends",
    )
    .argument("<email>", "the merchant's email")
    .action(
      onDatabase(context, async (stack, email: string) => {
        const { createResetLink } = await import("@partner-connect/directory");
        const { merchant: owner, token, expiresAt } = await createResetLink(stack.sql, email, stack.actor);
        const { url, note } = await passwordLink(stack, token);
        return {
          json: { email: owner.email, url, expires_at: expiresAt.toISOString() },
          text: `A link for ${owner.name} (${owner.email}) to set a new password:

  ${url}

Send it where nobody else reads it, to the person who is known to have this account. Anybody who opens it gets the account.
It works once, until ${expiresAt.toISOString()} (30 minutes). It is not shown again; a newer one ends it.`,
          note,
        };
      }),
    );
}
