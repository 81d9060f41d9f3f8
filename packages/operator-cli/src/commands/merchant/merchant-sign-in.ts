import type { Command } from "commander";
import { type Consent, carryOut, destructive } from "../../options/confirm.ts";
import { onDatabase } from "../../run/command.ts";
import { type Context, UsageError } from "../../run/context.ts";
import { countOf } from "../../terminal/progress.ts";

export function addForgetIdentityCommand(merchant: Command, context: Context): void {
  destructive(merchant.command("forget-identity"))
    .description("Separate a merchant from the account elsewhere that signs in (OpenID Connect); all sessions end")
    .argument("<email>", "the merchant's email; make sure that it is the merchant who asks")
    .action(
      onDatabase(context, async ({ sql, actor }, email: string, consent: Consent) => {
        const { forgetIdentities, showMerchant } = await import("@partner-connect/directory");
        const { name, email: address } = await showMerchant(sql, email);
        const effects = [
          `${name} (${address}) is separated from the account elsewhere, and signed out everywhere.`,
          "Afterwards the first person who has verified the address there signs in to the account here.",
        ];
        return await carryOut(context, consent, effects, async () => {
          const issuers = await forgetIdentities(sql, address, actor);
          return {
            json: { email: address, issuers },
            text:
              issuers.length === 0
                ? `${name} has no account elsewhere.`
                : `${name} is separated from the account at ${issuers.join(", ")}, and signed out everywhere.`,
          };
        });
      }),
    );
}

export function addEndSessionsCommand(merchant: Command, context: Context): void {
  destructive(merchant.command("end-sessions"))
    .description("Sign a merchant out everywhere, or all merchants; passwords, passkeys and connections stay")
    .argument("[email]", "the merchant's email")
    .option("--all", "all sessions of everybody")
    .action(
      onDatabase(context, async ({ sql, actor }, email: string | undefined, options: Consent & { all?: true }) => {
        if ((email === undefined) === (options.all === undefined)) {
          throw new UsageError("name one merchant by the email, or all by --all");
        }
        const { endAllSessions, endSessions, showMerchant } = await import("@partner-connect/directory");
        if (email === undefined) {
          const effects = ["Every merchant is signed out everywhere, at once, and has to sign in again."];
          return await carryOut(context, options, effects, async () => {
            const merchants = await endAllSessions(sql, actor);
            return { json: { merchants }, text: `All sessions of ${countOf(merchants, "merchant")} have ended.` };
          });
        }
        const { id, name, email: address } = await showMerchant(sql, email);
        return await carryOut(context, options, [`${name} (${address}) is signed out everywhere.`], async () => {
          await endSessions(sql, id, actor);
          return { json: { merchants: 1 }, text: `All sessions of ${name} (${address}) have ended.` };
        });
      }),
    );
}
