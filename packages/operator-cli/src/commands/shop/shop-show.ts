import type { Member, ShopDetails } from "@partner-connect/directory";
import type { Command } from "commander";
import type { Answer } from "../../run/answer.ts";
import type { Context } from "../../run/context.ts";
import { onDatabase } from "../../run/database.ts";
import { paragraphs } from "../../terminal/screen.ts";
import { cutColumn, extraColumn, fields, table } from "../../terminal/table.ts";

export function addShopShowCommand(shop: Command, context: Context): void {
  shop
    .command("show")
    .description("Show a shop: its plan, its members, and what has access to it")
    .argument("<shop>", "the shop's id")
    .action(
      onDatabase(context, async ({ sql }, id: string) => {
        const { membersOfShop, showShop } = await import("@partner-connect/directory");
        return showAnswer(await showShop(sql, id), await membersOfShop(sql, id));
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
