import type { Command } from "@commander-js/extra-typings";
import { lastUses } from "@partner-connect/connections";
import {
  createApiKey,
  findApiKey,
  idsOf,
  listApiKeys,
  revokeApiKey,
  shopByIdOrName,
} from "@partner-connect/directory";
import { addList, type Cli, listAnswer, newSecretAnswer, SHOP_OPTION, YES } from "../cli.ts";
import { jsonOf } from "../print.ts";

const FIELDS = ["id", "shopId", "createdAt", "revokedAt"] as const;

export default function addApiKeyCommands(apiKey: Command, cli: Cli): void {
  const createCommand = apiKey
    .command("create")
    .description("Create an API key for a shop, and show it once")
    .requiredOption(...SHOP_OPTION);
  cli.setSqlAction(createCommand, async ({ sql, actor }, { shop }) => {
    const { id: shopId } = await shopByIdOrName(sql, shop);
    const { id, key } = await createApiKey(sql, shopId, actor);
    const shown = { id, api_key: key, shop_id: shopId };
    return newSecretAnswer({ sentence: "Created an API key.", shown, next: "Hand it over" });
  });
  const listCommand = addList(apiKey, "the shop's name")
    .description("List API keys, including revoked ones; the keys themselves are not stored")
    .option(...SHOP_OPTION);
  cli.setSqlAction(listCommand, async ({ sql }, { shop, ...asked }) => {
    const { shopId } = await idsOf(sql, { shop });
    return await listAnswer(asked, {
      async read(page) {
        const keys = await listApiKeys(sql, { shopId, ...page });
        const used = await lastUses(sql, keys);
        return keys.map((key) => ({ ...key, lastUsedHour: used.get(key.id) ?? null }));
      },
      json: (key) => ({ ...jsonOf(key, ...FIELDS), last_used_at: key.lastUsedHour }),
      head: ["ID", "SHOP", "STATUS", "LAST USED (HOUR)"],
      cells: (key) => [
        key.id,
        key.shopName,
        key.revokedAt ? "revoked" : "active",
        key.lastUsedHour ?? "never",
      ],
      none: "There are no such API keys.",
    });
  });
  const revokeCommand = apiKey
    .command("revoke")
    .description("Revoke an API key for good, effective from the next request")
    .argument("<key-id>", "the key's id (key_…), not the key itself")
    .option(...YES);
  cli.setSqlAction(revokeCommand, async ({ sql, actor }, id, consent) => {
    const key = await findApiKey(sql, id);
    const { shopName, revokedAt } = key;
    const hour = (await lastUses(sql, [key])).get(id);
    const used = hour ? `last used in the hour ${hour.toISOString()}` : "never used";
    const effect = `API key ${id} of ${shopName} (${used}) ends for good: its requests are refused from now on.`;
    await cli.confirm(consent, revokedAt ? [] : [effect]);
    return {
      json: jsonOf(await revokeApiKey(sql, id, actor), ...FIELDS),
      text: `API key ${id} is revoked.`,
    };
  });
}

export const EXAMPLES = `
  $ partner-connect api-key create --shop Hats`;
