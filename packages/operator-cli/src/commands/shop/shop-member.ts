import type { Member } from "@partner-connect/directory";
import type { Command } from "commander";
import { type Consent, carryOut, destructive, examples } from "../../options/confirm.ts";
import { onDatabase } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import { paragraphs } from "../../terminal/screen.ts";
import { fields } from "../../terminal/table.ts";
import { type NewAccountOptions, newAccountLink, newAccountOf, takesNewAccount } from "../merchant/new-account.ts";

/** Who may connect apps for a shop. */
export function addMemberCommands(shop: Command, context: Context): void {
  addAddMember(shop, context);
  addRemoveMember(shop, context);
}

function addAddMember(shop: Command, context: Context): void {
  takesNewAccount(shop.command("add-member"))
    .description("Let a merchant connect and disconnect apps for a shop, and tell all its members by mail")
    .argument("<shop>", "the shop's id")
    .argument("<email>", "the merchant's email")
    .addHelpText("after", EXAMPLES)
    .action(
      onDatabase(context, async (stack, shopId: string, email: string, options: NewAccountOptions) => {
        const { sql, actor } = stack;
        const { addMember } = await import("@partner-connect/directory");
        const create = newAccountOf(stack, options);
        const added = await addMember(sql, { shopId, email, create }, actor);
        const link = added.token === undefined ? undefined : await newAccountLink(stack, added, added.token);
        const about = fields([
          ["shop", shopId],
          ["merchant", added.merchantId],
        ]);
        const said = `${added.name} (${added.email}) is a member of the shop now.`;
        return {
          json: { ...memberJson(shopId, added), ...link?.json },
          text: paragraphs(said, about, ...(link ? [link.text] : [])),
          note: link?.note,
        };
      }),
    );
}

function addRemoveMember(shop: Command, context: Context): void {
  destructive(shop.command("remove-member"))
    .description("Take a shop from a merchant; what the merchant connected stays connected")
    .argument("<shop>", "the shop's id")
    .argument("<email>", "the merchant's email")
    .addHelpText("after", EXAMPLES)
    .action(
      onDatabase(context, async ({ sql, actor }, shopId: string, email: string, consent: Consent) => {
        const { removableMember, removeMember } = await import("@partner-connect/directory");
        const member = await removableMember(sql, shopId, email);
        const { name, merchantId } = member;
        const effects = [
          `${name} (${member.email}) can't open the pages of the shop any more.`,
          "Apps stay connected with the shop.",
        ];
        return await carryOut(context, consent, effects, async () => {
          await removeMember(sql, { shopId, merchantId }, actor);
          const text = `${name} (${member.email}) is removed from the shop.`;
          return { json: memberJson(shopId, member), text };
        });
      }),
    );
}

function memberJson(shopId: string, { merchantId, email, name }: Member) {
  return { shop_id: shopId, merchant_id: merchantId, email, name };
}

const EXAMPLES = examples(`
  $ partner-connect shop add-member shop_0195… ben@shop.example
  $ partner-connect shop add-member shop_0195… ben@shop.example --create
  $ partner-connect shop remove-member shop_0195… ben@shop.example
  $ partner-connect shop remove-member shop_0195… ben@shop.example --dry-run`);
