import type { Command } from "commander";
import { type Consent, carryOut, destructive } from "../../options/confirm.ts";
import { onDatabase } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";

export function addRemovePasskeysCommand(merchant: Command, context: Context): void {
  destructive(merchant.command("remove-passkeys"))
    .description("Take all passkeys of a merchant who has lost one; all sessions end")
    .argument("<email>", "the merchant's email; make sure that it is the merchant who asks")
    .action(
      onDatabase(context, async ({ sql, actor }, email: string, consent: Consent) => {
        const { removeAllPasskeys, showMerchant } = await import("@partner-connect/directory");
        const { name, email: address, passkeys } = await showMerchant(sql, email);
        const effects =
          passkeys === 0
            ? []
            : [
                `${name} (${address}) loses ${passkeys === 1 ? "the passkey" : `all ${passkeys} passkeys`}, and is signed out everywhere.`,
                "From then on the password alone signs in, until a passkey is added again. The merchant gets a mail, where mail is on.",
              ];
        return await carryOut(context, consent, effects, async () => {
          const removed = await removeAllPasskeys(sql, address, actor);
          return {
            json: { email: address, removed },
            text:
              removed === 0
                ? `${name} has no passkey.`
                : `${name} has no passkey any more and is signed out everywhere.`,
            ...(removed > 0 && {
              note: `If somebody else may know the password, send a new one's link too: partner-connect merchant reset-link ${address}`,
            }),
          };
        });
      }),
    );
}
