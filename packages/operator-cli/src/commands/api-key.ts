import type { Command } from "@commander-js/extra-typings";
import {
  type ApiKey,
  createApiKey,
  findApiKey,
  listApiKeys,
  revokeApiKey,
  shopByIdOrName,
} from "@partner-connect/directory";
import { type Cli, listing, pageOf, secretShownOnce, YES } from "../cli.ts";
import { table } from "../print.ts";

export default function addApiKeyCommands(apiKey: Command, cli: Cli): void {
  apiKey
    .command("create")
    .description("Create an API key for a shop, and show it once")
    .requiredOption("--shop <shop>", "the shop's id or whole name")
    .action(
      cli.onDatabase(async ({ sql, actor }, { shop }) => {
        const { id, key, shopId } = await createApiKey(sql, (await shopByIdOrName(sql, shop)).id, actor);
        const shown = { id, api_key: key, shop_id: shopId };
        return secretShownOnce({ sentence: "Created an API key.", shown, json: shown, next: "Hand it over" });
      }),
    );
  listing(
    apiKey.command("list").description("List API keys, revoked ones too; the keys themselves are not kept"),
    "the shop's name",
  )
    .option("--shop <shop>", "only the keys of this shop: its id or whole name")
    .action(
      cli.onDatabase(async ({ sql }, { shop, ...asked }) => {
        const shopId = shop === undefined ? undefined : (await shopByIdOrName(sql, shop)).id;
        const { shown, note } = await pageOf(
          asked,
          (page) => listApiKeys(sql, { shopId, ...page }),
          ({ id }) => id,
        );
        const rows = shown.map((key) => [
          key.id,
          key.shopName,
          key.revokedAt ? "revoked" : "active",
          key.lastUsedHour ?? "never",
        ]);
        return {
          json: shown.map((key) => ({ ...keyJson(key), last_used_at: key.lastUsedHour?.toISOString() ?? null })),
          text: table(["ID", "SHOP", "STATUS", "LAST USED (HOUR)"], rows, "There are no such API keys."),
          note,
        };
      }),
    );
  apiKey
    .command("revoke")
    .description("Revoke an API key for good, from the next request on")
    .argument("<key-id>", "the key's id (key_…), not the key itself")
    .option(...YES)
    .action(
      cli.onDatabase(async ({ sql, actor }, id, consent) => {
        const { shopName, lastUsedHour, revokedAt } = await findApiKey(sql, id);
        const used = lastUsedHour ? `last used in the hour ${lastUsedHour.toISOString()}` : "never used";
        const effect = `API key ${id} of ${shopName} (${used}) ends for good: its requests are refused from now on.`;
        await cli.confirm(consent, revokedAt ? [] : [effect]);
        return { json: keyJson(await revokeApiKey(sql, id, actor)), text: `API key ${id} is revoked.` };
      }),
    );
}

function keyJson({ id, shopId, createdAt, revokedAt }: ApiKey) {
  return {
    id,
    shop_id: shopId,
    created_at: createdAt.toISOString(),
    revoked_at: revokedAt?.toISOString() ?? null,
  };
}

export const EXAMPLES = `
  $ partner-connect api-key create --shop shop_0195…
  $ partner-connect api-key list --shop shop_0195…
  $ partner-connect api-key revoke key_0195…`;
