import type { Command } from "@commander-js/extra-typings";
import {
  createProductKey,
  findProductKey,
  listProductKeys,
  revokeProductKey,
} from "@partner-connect/directory";
import { addList, type Cli, listAnswer, newSecretAnswer, YES } from "../cli.ts";
import { jsonOf } from "../print.ts";

const FIELDS = ["id", "name", "createdAt", "lastUsedAt", "revokedAt"] as const;

export default function addProductKeyCommands(productKey: Command, cli: Cli): void {
  const createCommand = productKey
    .command("create")
    .description("Create a key for the internal API, and show it once")
    .requiredOption("--name <name>", "of the system with the key; product:NAME in the audit log");
  cli.setSqlAction(createCommand, async ({ sql, actor }, { name: given }) => {
    const { id, name, key } = await createProductKey(sql, given, actor);
    const shown = { id, name, product_key: key };
    return newSecretAnswer({ sentence: "Created a product key.", shown, next: "Hand it over" });
  });
  const listCommand = addList(productKey, "the name").description(
    "List product keys, including revoked ones; the keys themselves are not stored",
  );
  cli.setSqlAction(listCommand, ({ sql }, asked) =>
    listAnswer(asked, {
      read: (page) => listProductKeys(sql, page),
      json: (key) => jsonOf(key, ...FIELDS),
      head: ["ID", "NAME", "STATUS", "LAST USED"],
      cells: (key) => [
        key.id,
        key.name,
        key.revokedAt ? "revoked" : "active",
        key.lastUsedAt ?? "never",
      ],
      none: "There are no such product keys.",
    }),
  );
  const revokeCommand = productKey
    .command("revoke")
    .description("Revoke a product key for good, effective from the next call")
    .argument("<key-id>", "the key's id (pky_…), not the key itself")
    .option(...YES);
  cli.setSqlAction(revokeCommand, async ({ sql, actor }, id, consent) => {
    const { name, lastUsedAt, revokedAt } = await findProductKey(sql, id);
    const used = lastUsedAt ? `last used ${lastUsedAt.toISOString()}` : "never used";
    const effect = `Product key ${id} of ${name} (${used}) ends for good: its calls are refused from now on.`;
    await cli.confirm(consent, revokedAt ? [] : [effect]);
    return {
      json: jsonOf(await revokeProductKey(sql, id, actor), ...FIELDS),
      text: `Product key ${id} is revoked.`,
    };
  });
}

export const EXAMPLES = `
  $ partner-connect product-key create --name survey`;
