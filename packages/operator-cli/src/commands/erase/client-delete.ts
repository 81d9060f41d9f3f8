import type { Command } from "@commander-js/extra-typings";
import { countRevocable, eraseWholeShop, forgetAll, revokeAll } from "@partner-connect/connections";
import { clientByIdOrName, deleteClient, setClientStatus, testShopsOf } from "@partner-connect/directory";
import { type Cli, YES } from "../../cli.ts";
import { countOf } from "../../print.ts";
import { inSteps } from "../../progress.ts";
import { withRedis } from "./erase-redis.ts";

export function addClientDelete(client: Command, cli: Cli): void {
  client
    .command("delete")
    .description("Delete a client for good: its connections, secrets, logo, counts, and its names in the audit log")
    .argument("<client>", "the client's id or whole name")
    .option(...YES)
    .action(
      cli.onDatabase(
        async (stack, given, consent) => {
          const { sql, actor } = stack;
          const { id, name } = await clientByIdOrName(sql, given);
          const total = await countRevocable(sql, { clientId: id });
          const testShops = await testShopsOf(sql, id);
          const effects = [
            `The client ${name} (${id}) is deleted for good; ${countOf(total, "connection")} of merchants end${total === 1 ? "s" : ""} at once.`,
            ...(testShops.length > 0
              ? [`Its ${countOf(testShops.length, "test shop")} of made-up responses are erased.`]
              : []),
            "Its names and addresses are removed from the audit log. What was done stays, under ids, until its months are dropped.",
            "Logs have ids and network addresses, no name; backups are not changed.",
          ];
          await cli.confirmErasure(consent, effects, name);
          return await withRedis(stack, async (redis) => {
            await setClientStatus(sql, id, "disabled", actor);
            const forgotten = await inSteps(cli.terminal, { noun: "connection", total }, async (report) => {
              await revokeAll(sql, { clientId: id }, actor, { onProgress: report });
              return await forgetAll(sql, { clientId: id }, actor, redis.forgetTokens);
            });
            for (const { shopId } of testShops) await eraseWholeShop(sql, shopId, actor, redis.forgetTokens);
            const records = await deleteClient(sql, id, { connections: forgotten }, actor);
            return {
              json: { client_id: id, erased: { connections: forgotten, audit_records: records } },
              text: `The client ${id} is deleted, with ${countOf(forgotten, "connection")}.`,
            };
          });
        },
        { statementTimeout: 0 },
      ),
    );
}
