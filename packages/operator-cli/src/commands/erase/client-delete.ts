import type { Command } from "commander";
import { type Consent, carryOut, destructive } from "../../options/confirm.ts";
import { type Answer, type OpenStack, onDatabase } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import { inSteps } from "../../run/long-work.ts";
import { countOf } from "../../terminal/progress.ts";
import { withRedis } from "./erase-redis.ts";

export function addClientDelete(client: Command, context: Context): void {
  destructive(client.command("delete"))
    .description("Delete a client for good: its connections, secrets, logo, counts, and its names in the audit log")
    .argument("<client>", "the client's id or whole name")
    .action(
      onDatabase(context, (stack, given: string, consent: Consent) => deleteOf(context, stack, given, consent), {
        statementTimeout: 0,
      }),
    );
}

async function deleteOf(context: Context, stack: OpenStack, given: string, consent: Consent): Promise<Answer> {
  const { sql, actor } = stack;
  const { clientByIdOrName, deleteClient, setClientStatus, testShopsOf } = await import("@partner-connect/directory");
  const { countRevocable, eraseWholeShop, forgetAll, revokeAll } = await import("@partner-connect/connections");
  const { id, name } = await clientByIdOrName(sql, given);
  const total = await countRevocable(sql, { clientId: id });
  const testShops = await testShopsOf(sql, id);
  const effects = [
    `The client ${name} (${id}) is deleted for good; ${countOf(total, "connection")} of merchants end${total === 1 ? "s" : ""} at once.`,
    ...(testShops.length > 0 ? [`Its ${countOf(testShops.length, "test shop")} of made-up responses are erased.`] : []),
    "Its names and addresses are removed from the audit log. What was done stays, under ids, until its months are dropped.",
    "Logs have ids and network addresses, no name; backups are not changed.",
  ];
  return await carryOut(context, consent, effects, () =>
    withRedis(stack, async (redis) => {
      await setClientStatus(sql, id, "disabled", actor);
      const forgotten = await inSteps(context, { noun: "connection", total }, async (report) => {
        await revokeAll(sql, { clientId: id }, actor, { onProgress: report });
        return await forgetAll(sql, { clientId: id }, actor, redis.forgetTokens);
      });
      for (const { shopId } of testShops) await eraseWholeShop(sql, shopId, actor, redis.forgetTokens);
      const records = await deleteClient(sql, id, { connections: forgotten }, actor);
      const erased = { connections: forgotten, audit_records: records };
      return {
        json: { client_id: id, erased },
        text: `The client ${id} is deleted, with ${countOf(forgotten, "connection")}.`,
      };
    }),
  );
}
