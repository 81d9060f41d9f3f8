import type { Member, Shop, ShopDetails } from "@partner-connect/directory";
import type { Command } from "commander";
import { commandGroup } from "../../options/confirm.ts";
import { listing, type PageOptions, pageOf } from "../../options/list-page.ts";
import { type Answer, onDatabase } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import { paragraphs } from "../../terminal/screen.ts";
import { cutColumn, extraColumn, fields, table } from "../../terminal/table.ts";
import { addShopErase } from "../erase/shop-erase.ts";
import { addMemberCommands } from "./shop-member.ts";

interface Create {
  readonly name: string;
  readonly owner: string;
  readonly plan: string;
  readonly domain?: string;
  readonly test?: string;
}

export function addShopCommands(program: Command, context: Context): void {
  const shop = commandGroup(program, "shop", "Merchants' shops and their plans", EXAMPLES);
  shop
    .command("create")
    .description("Create a shop for a merchant")
    .requiredOption("--name <name>", "as the merchant sees it")
    .requiredOption("--owner <email>", "the email of the merchant who is its first member")
    .option("--plan <plan>", "standard or advanced_attribution, which sources:write needs", "standard")
    .option("--domain <domain>", "shown beside the name, such as hats.example")
    .option("--test <client>", "a test shop of this client: its responses are made up")
    .action(
      onDatabase(context, async ({ sql, actor }, { owner, test, ...given }: Create) => {
        const { createShop } = await import("@partner-connect/directory");
        const wanted = { ...given, ownerEmail: owner, testOf: test };
        const shop = await createShop(sql, wanted, actor);
        return shopAnswer(`Created ${test === undefined ? "shop" : "test shop"} ${shop.name}.`, shop);
      }),
    );
  shop
    .command("set-plan")
    .description("Change a shop's plan, from the next request on")
    .argument("<shop>", "the shop's id")
    .argument("<plan>", "standard or advanced_attribution")
    .action(
      onDatabase(context, async ({ sql, actor }, id: string, plan: string) => {
        const { setShopPlan } = await import("@partner-connect/directory");
        const shop = await setShopPlan(sql, id, plan, actor);
        return shopAnswer(`Shop ${shop.name} is on the plan ${shop.plan}.`, shop);
      }),
    );
  shop
    .command("rename")
    .description("Give a shop another name, for merchants and partners to see")
    .argument("<shop>", "the shop's id")
    .argument("<name>", "its new name")
    .action(
      onDatabase(context, async ({ sql, actor }, id: string, name: string) => {
        const { renameShop } = await import("@partner-connect/directory");
        const shop = await renameShop(sql, id, name, actor);
        return shopAnswer(`The shop's name is ${shop.name}.`, shop);
      }),
    );
  addShopShowCommand(shop, context);
  addListCommand(shop, context);
  addMemberCommands(shop, context);
  addShopErase(shop, context);
}

interface List extends PageOptions {
  readonly plan?: string;
}

function addListCommand(shop: Command, context: Context): void {
  listing(shop.command("list").description("List shops, the newest last"), "<shop>", "the name or domain")
    .option("--plan <plan>", "only the shops on this plan: standard or advanced_attribution")
    .action(
      onDatabase(context, async ({ sql }, asked: List) => {
        const { listShops } = await import("@partner-connect/directory");
        const { shown, note } = await pageOf(
          asked,
          (page) => listShops(sql, page),
          ({ id }) => id,
        );
        return {
          json: shown.map((shop) => ({ ...shopJson(shop), domain: shop.domain, members: shop.memberEmails })),
          text: table(
            ["ID", cutColumn("NAME"), cutColumn("MEMBERS"), extraColumn("PLAN"), extraColumn("DOMAIN")],
            shown.map((shop) => [shop.id, shop.name, shop.memberEmails.join(", "), shop.plan, shop.domain]),
            "There are no such shops.",
          ),
          note,
        };
      }),
    );
}

function shopAnswer(sentence: string, shop: Shop): Answer {
  const { id, plan } = shop;
  return {
    json: shopJson(shop),
    text: `${sentence}\n\n${fields([
      ["id", id],
      ["plan", plan],
    ])}`,
  };
}

function shopJson({ id, name, plan }: Shop) {
  return { id, name, plan };
}

function addShopShowCommand(shop: Command, context: Context): void {
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
  const { id, name, plan, domain, createdAt, connections, apiKeys, testOf } = shop;
  return {
    json: {
      id,
      name,
      plan,
      domain,
      created_at: createdAt.toISOString(),
      connections,
      api_keys: apiKeys,
      test_of: testOf,
      members: members.map(({ merchantId, email, name, since }) => ({
        merchant_id: merchantId,
        email,
        name,
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
        ...(testOf === null ? [] : [["test shop of", testOf] as const]),
        ["connections", `${connections}, revoked ones not counted`],
        ["API keys", `${apiKeys}, revoked ones not counted`],
      ]),
      table(
        [cutColumn("MEMBER"), cutColumn("NAME"), "SINCE", extraColumn("ID")],
        members.map(({ email, name, since, merchantId }) => [email, name, since, merchantId]),
        "It has no members.",
      ),
    ),
  };
}

const EXAMPLES = `
  $ partner-connect shop create --name Hats --owner anna@shop.example
  $ partner-connect shop create --name Shoes --owner anna@shop.example --plan advanced_attribution
  $ partner-connect shop set-plan shop_0195… advanced_attribution
  $ partner-connect shop rename shop_0195… 'Hats and Caps'
  $ partner-connect shop show shop_0195…
  $ partner-connect shop erase shop_0195… --dry-run
  $ partner-connect shop create --name 'Test shop' --owner pat@partner.example --test client_0195…
  $ partner-connect shop list
  $ partner-connect shop list --search hats --plan standard --limit 100`;
