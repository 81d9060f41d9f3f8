import type { Member, ShopDetails } from "@partner-connect/directory";
import type { Command } from "commander";
import type { examples } from "../../options/examples.ts";
import { type Answer, answer } from "../../run/answer.ts";
import type { Context } from "../../run/context.ts";
import { withDatabase } from "../../run/database.ts";
import { fields } from "../../terminal/fields.ts";
import { paragraphs } from "../../terminal/screen.ts";
import { cutColumn, extraColumn, table } from "../../terminal/table.ts";

export function addShopShowCommand(shop: Command, context: Context, shown: ReturnType<typeof examples>): void {
  shop
    .command("show")
    .description("Show a shop: its plan, its members, and what has access to it")
    .argument("<shop>", "the shop's id")
    .addHelpText("after", shown)
    .action(
      answer(context, async (id: string) => {
        const { membersOfShop, showShop } = await import("@partner-connect/directory");
        return await withDatabase(context, async (sql) =>
          showAnswer(await showShop(sql, id), await membersOfShop(sql, id)),
        );
      }),
    );
}

function showAnswer(shop: ShopDetails, members: readonly Member[]): Answer {
  const { id, name, plan, domain, createdAt, connections, apiKeys } = shop;
  return {
    json: {
      id,
      name,
      plan,
      domain,
      created_at: createdAt.toISOString(),
      connections,
      api_keys: apiKeys,
      members: members.map(({ merchantId, email, name, role, since }) => ({
        merchant_id: merchantId,
        email,
        name,
        role,
        since: since.toISOString(),
      })),
    },
    text: paragraphs(
      fields([
        ["id", id],
        ["name", name],
        ["domain", domain],
        ["plan", plan],
        ["created", createdAt],
        ["connections", `${connections}, revoked ones not counted`],
        ["API keys", `${apiKeys}, revoked ones not counted`],
      ]),
      table(
        [cutColumn("MEMBER"), cutColumn("NAME"), "ROLE", "SINCE", extraColumn("ID")],
        members.map(({ email, name, role, since, merchantId }) => [email, name, role, since, merchantId]),
        "It has no members.",
      ),
    ),
  };
}
