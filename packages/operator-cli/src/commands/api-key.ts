import type { ApiKey } from "@partner-connect/directory";
import type { Command } from "commander";
import { answer, table } from "../answer.ts";
import type { Context } from "../context.ts";
import { withDatabase } from "../database.ts";
import { examples } from "../examples.ts";
import { operatorActor } from "../operator-actor.ts";
import { secretShownOnce } from "../secret-shown-once.ts";
import { commandGroup } from "./command-group.ts";

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
    .addHelpText("after", EXAMPLES)
    .action(
      answer(context, async ({ shop }: { shop: string }) => {
        const { createApiKey } = await import("@partner-connect/directory");
        const { id, key, shopId } = await withDatabase(context, (sql) =>
          createApiKey(sql, shop, operatorActor(context)),
        );
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
  apiKey
    .command("revoke")
    .description("Revoke an API key for good, from the next request on")
    .argument("<key-id>", "the key's id (key_…), not the key itself")
    .addHelpText("after", EXAMPLES)
    .action(
      answer(context, async (id: string) => {
        const { revokeApiKey } = await import("@partner-connect/directory");
        const key = await withDatabase(context, (sql) => revokeApiKey(sql, id, operatorActor(context)));
        return { json: keyJson(key), text: `API key ${key.id} is revoked.` };
      }),
    );
  apiKey
    .command("list")
    .description("List API keys, revoked ones too; the keys themselves are not kept")
    .option("--shop <shop>", "only the keys of this shop")
    .action(
      answer(context, async ({ shop }: { shop?: string }) => {
        const { listApiKeys } = await import("@partner-connect/directory");
        const keys = await withDatabase(context, (sql) => listApiKeys(sql, { shopId: shop }));
        return {
          json: keys.map(keyJson),
          text: table(
            ["ID", "SHOP", "CREATED", "REVOKED"],
            keys.map((key) => [key.id, key.shopId, key.createdAt.toISOString(), key.revokedAt?.toISOString() ?? "-"]),
            "There are no API keys.",
          ),
        };
      }),
    );
}

function keyJson(key: ApiKey) {
  return {
    id: key.id,
    shop_id: key.shopId,
    created_at: key.createdAt.toISOString(),
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

const EXAMPLES = examples(`
  $ partner-connect api-key create --shop shop_0195…
  $ partner-connect api-key list --shop shop_0195…
  $ partner-connect api-key revoke key_0195…`);
