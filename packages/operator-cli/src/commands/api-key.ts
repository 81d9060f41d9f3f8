import type { ApiKey, ListedApiKey } from "@partner-connect/directory";
import type { Command } from "commander";
import { type Consent, carryOut, commandGroup, destructive } from "../options/confirm.ts";
import { listing, type PageOptions, pageOf } from "../options/list-page.ts";
import { onDatabase, secretShownOnce } from "../run/command.ts";
import type { Context } from "../run/context.ts";
import { relativeTime } from "../terminal/relative-time.ts";
import { type Cell, cutColumn, extraColumn, table } from "../terminal/table.ts";

export function addApiKeyCommands(program: Command, context: Context): void {
  const apiKey = commandGroup(
    program,
    "api-key",
    "API keys: a merchant's own access to the API, for one shop",
    EXAMPLES,
  );
  apiKey
    .command("create")
    .description("Create an API key for a shop, and show it once")
    .requiredOption("--shop <shop>", "the shop's id")
    .action(
      onDatabase(context, async ({ sql, actor }, { shop }: { shop: string }) => {
        const { createApiKey } = await import("@partner-connect/directory");
        const { id, key, shopId } = await createApiKey(sql, shop, actor);
        return secretShownOnce({
          sentence: "Created an API key.",
          shown: [
            ["id", id],
            ["api_key", key],
            ["shop_id", shopId],
          ],
          json: { id, api_key: key, shop_id: shopId },
          next: "Hand it over",
        });
      }),
    );
  destructive(apiKey.command("revoke").description("Revoke an API key for good, from the next request on"))
    .argument("<key-id>", "the key's id (key_…), not the key itself")
    .action(
      onDatabase(context, async ({ sql, actor }, id: string, consent: Consent) => {
        const { findApiKey, revokeApiKey } = await import("@partner-connect/directory");
        const effects = effectsOf(await findApiKey(sql, id));
        return await carryOut(context, consent, effects, async () => ({
          json: keyJson(await revokeApiKey(sql, id, actor)),
          text: `API key ${id} is revoked.`,
        }));
      }),
    );
  const list = apiKey.command("list").description("List API keys, revoked ones too; the keys themselves are not kept");
  listing(list, "<key-id>", "the shop's name")
    .option("--shop <shop>", "only the keys of this shop")
    .action(
      onDatabase(context, async ({ sql }, asked: PageOptions & { readonly shop?: string }) => {
        const { listApiKeys } = await import("@partner-connect/directory");
        const { shown: keys, note } = await pageOf(
          asked,
          ({ shop: shopId, ...page }) => listApiKeys(sql, { shopId, ...page }),
          ({ id }) => id,
        );
        return {
          json: keys.map((key) => ({ ...keyJson(key), last_used_at: key.lastUsedHour?.toISOString() ?? null })),
          text: table(
            ["ID", cutColumn("SHOP"), "STATUS", ...EXTRAS],
            keys.map((key) => [
              key.id,
              key.shopName,
              statusOf(key),
              key.lastUsedHour ?? "never",
              key.createdAt,
              key.shopId,
            ]),
            "There are no such API keys.",
          ),
          note,
        };
      }),
    );
}

const EXTRAS = ["LAST USED", "CREATED", "SHOP ID"].map(extraColumn);

function statusOf({ revokedAt }: ApiKey): Cell {
  return revokedAt ? { text: "revoked", style: "red" } : { text: "active", style: "green" };
}

function effectsOf({ id, shopName, lastUsedHour, revokedAt }: ListedApiKey): string[] {
  if (revokedAt) return [];
  const used = lastUsedHour
    ? `used within the hour that began ${relativeTime(lastUsedHour)}`
    : "never used, as far as we count";
  return [`API key ${id} of ${shopName} (${used}) ends for good: its requests are refused from now on.`];
}

function keyJson(key: ApiKey) {
  return {
    id: key.id,
    shop_id: key.shopId,
    created_at: key.createdAt.toISOString(),
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

const EXAMPLES = `
  $ partner-connect api-key create --shop shop_0195…
  $ partner-connect api-key list --shop shop_0195…
  $ partner-connect api-key revoke key_0195…`;
