import type { Command } from "@commander-js/extra-typings";
import { countConnected } from "@partner-connect/connections";
import {
  addMember,
  createShop,
  listShops,
  type Member,
  membersOfShop,
  removableMember,
  removeMember,
  renameShop,
  requireMerchant,
  type Shop,
  setShopPlan,
  shopByIdOrName,
  shopDetails,
} from "@partner-connect/directory";
import { type Answer, addList, type Cli, listAnswer, SHOP, YES } from "../cli.ts";
import { fields, jsonOf, table } from "../print.ts";
import { addShopErase } from "./erase.ts";
import { ACCOUNT_NAME, CREATE, newAccountLink, newAccountOf } from "./new-account.ts";

const PLANS = "standard or advanced_attribution, which allows all scopes";

export default function addShopCommands(shop: Command, cli: Cli): void {
  const createCommand = shop
    .command("create")
    .description("Create a shop for a merchant")
    .requiredOption("--name <name>", "as the merchant sees it")
    .requiredOption("--owner <merchant>", "the email or id of its first member")
    .option("--plan <plan>", PLANS, "standard")
    .option("--domain <domain>", "shown beside the name, such as hats.example");
  cli.setSqlAction(createCommand, async ({ sql, actor }, { owner, ...given }) => {
    const { email: ownerEmail } = await requireMerchant(sql, owner);
    const created = await createShop(sql, { ...given, ownerEmail }, actor);
    return shopAnswer(`Created shop ${created.name}.`, created);
  });
  const listCommand = addList(shop, "the name or domain")
    .description("List shops, the newest last")
    .option("--plan <plan>", "only the shops on this plan: standard or advanced_attribution");
  cli.setSqlAction(listCommand, ({ sql }, asked) =>
    listAnswer(asked, {
      read: (page) => listShops(sql, page),
      json: (each) => ({ ...shopJson(each), domain: each.domain, members: each.memberEmails }),
      head: ["ID", "NAME", "PLAN", "MEMBERS"],
      cells: ({ id, name, plan, memberEmails }) => [id, name, plan, memberEmails.join(", ")],
      none: "There are no such shops.",
    }),
  );
  const showCommand = shop
    .command("show")
    .description("Show a shop: its plan, members, connections and API keys")
    .argument(...SHOP);
  cli.setSqlAction(showCommand, async ({ sql }, given) =>
    show(sql, (await shopByIdOrName(sql, given)).id),
  );
  const renameCommand = shop
    .command("rename")
    .description("Change the name of a shop, which merchants and partners see")
    .argument(...SHOP)
    .argument("<name>", "its new name");
  cli.setSqlAction(renameCommand, async ({ sql, actor }, given, name) => {
    const changed = await renameShop(sql, (await shopByIdOrName(sql, given)).id, name, actor);
    return shopAnswer(`The shop's name is ${changed.name}.`, changed);
  });
  const setPlanCommand = shop
    .command("set-plan")
    .description("Change a shop's plan, effective from the next request")
    .argument(...SHOP)
    .argument("<plan>", PLANS);
  cli.setSqlAction(setPlanCommand, async ({ sql, actor }, given, plan) => {
    const changed = await setShopPlan(sql, (await shopByIdOrName(sql, given)).id, plan, actor);
    return shopAnswer(`Shop ${changed.name} is on the plan ${changed.plan}.`, changed);
  });
  const addMemberCommand = shop
    .command("add-member")
    .description("Let a merchant connect and disconnect apps for a shop; all members get a mail")
    .argument(...SHOP)
    .argument("<email>", "the merchant's email")
    .option(...CREATE)
    .option(...ACCOUNT_NAME);
  cli.setSqlAction(addMemberCommand, async (stack, given, email, options) => {
    const { sql, actor } = stack;
    const { id: shopId, name: shopName } = await shopByIdOrName(sql, given);
    const create = newAccountOf(stack, options);
    const added = await addMember(sql, { shopId, email, create }, actor);
    const link = newAccountLink(stack, added, added.token);
    return {
      json: { ...memberJson(shopId, added), ...link.json },
      text: `${added.name} (${added.email}) is a member of ${shopName} (${shopId}) now.${link.text}`,
      note: link.note,
    };
  });
  const removeMemberCommand = shop
    .command("remove-member")
    .description("Remove a member from a shop; connections that the merchant approved stay")
    .argument(...SHOP)
    .argument("<merchant>", "the merchant's email or id")
    .option(...YES);
  cli.setSqlAction(removeMemberCommand, async ({ sql, actor }, given, merchant, consent) => {
    const { id: shopId } = await shopByIdOrName(sql, given);
    const member = await removableMember(sql, shopId, merchant);
    const { name, email, merchantId } = member;
    await cli.confirm(consent, [
      `${name} (${email}) can't open the pages of the shop any more.`,
      "Apps stay connected with the shop.",
    ]);
    await removeMember(sql, { shopId, merchantId }, actor);
    return {
      json: memberJson(shopId, member),
      text: `${name} (${email}) is removed from the shop.`,
    };
  });
  addShopErase(shop, cli);
}

async function show(sql: Parameters<typeof shopDetails>[0], shopId: string): Promise<Answer> {
  const shop = await shopDetails(sql, shopId);
  const found = await membersOfShop(sql, shopId);
  const members = found.map((each) => jsonOf(each, "merchantId", "email", "name", "since"));
  const about = {
    ...jsonOf(shop, "id", "name", "plan", "domain", "createdAt"),
    connections: await countConnected(sql, shopId),
    ...jsonOf(shop, "apiKeys", "testOf"),
  };
  const rows = members.map((each) => [each.email, each.name, each.since, each.merchant_id]);
  return {
    json: { ...about, members },
    text: `${fields(about)}\n\n${table(["MEMBER", "NAME", "SINCE", "ID"], rows, "It has no members.")}`,
  };
}

function shopAnswer(sentence: string, shop: Shop): Answer {
  return { json: shopJson(shop), text: `${sentence}\n\n${fields(jsonOf(shop, "id", "plan"))}` };
}

const shopJson = (shop: Shop) => jsonOf(shop, "id", "name", "plan");

const memberJson = (shopId: string, member: Member) => ({
  shop_id: shopId,
  ...jsonOf(member, "merchantId", "email", "name"),
});

export const EXAMPLES = `
  $ partner-connect shop create --name Shoes --owner anna@shop.example --plan advanced_attribution
  $ partner-connect shop add-member Hats ben@shop.example --create`;
