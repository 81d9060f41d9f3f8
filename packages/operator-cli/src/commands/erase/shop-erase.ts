import type { Sql } from "@partner-connect/database";
import type { Command } from "commander";
import { type Consent, carryOut, destructive } from "../../options/confirm.ts";
import { type Answer, answer, type OpenStack, withDatabase } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import { inSteps } from "../../run/long-work.ts";
import { countOf } from "../../terminal/progress.ts";
import { namesKey } from "./erase-audit.ts";
import { withRedis } from "./erase-redis.ts";

export function addShopErase(shop: Command, context: Context): void {
  destructive(shop.command("erase"))
    .description("Erase a shop: responses, questions, sources, connections, keys, counts, and names in the audit log")
    .argument("<shop>", "the shop's id or whole name")
    .action(
      answer(context, (given: string, consent: Consent) =>
        withDatabase(context, (sql, stack) => eraseShopOf(context, sql, stack, given, consent), {
          statementTimeout: 0,
        }),
      ),
    );
}

async function eraseShopOf(
  context: Context,
  sql: Sql,
  stack: OpenStack,
  given: string,
  consent: Consent,
): Promise<Answer> {
  const { actor } = stack;
  const { eraseShop, listApiKeys, membersOfShop, revokeApiKey, shopByIdOrName } = await import(
    "@partner-connect/directory"
  );
  const { countRevocable, eraseUsage, forgetAll, revokeAll } = await import("@partner-connect/connections");
  const { countSurvey, eraseSurvey } = await import("@partner-connect/survey-data");
  const { eraseNames, namesInAudit } = await import("@partner-connect/audit");
  const { id, name } = await shopByIdOrName(sql, given);
  const key = await namesKey(context, sql);
  const [total, connections, members] = [
    await countSurvey(sql, id),
    await countRevocable(sql, { shopId: id }),
    await membersOfShop(sql, id),
  ];
  const keys = (await listApiKeys(sql, { shopId: id })).filter(({ revokedAt }) => !revokedAt);
  const effects = [
    `The shop ${name} (${id}) is erased for good, with ${countOf(total, "response, question or source")}.`,
    `${countOf(connections, "connection")} and ${countOf(keys.length, "API key")} end at once. Partners keep the copies that they have made.`,
    `${countOf(members.length, "member")} of it keep${members.length === 1 ? "s" : ""} the account.`,
    "In the audit log names and addresses become keyed hashes. What was done stays, under ids, until its months are dropped.",
    "Logs have ids and network addresses, no name; backups are not changed.",
  ];
  return await carryOut(context, consent, effects, () =>
    withRedis(stack, async (redis) => {
      const steps = { noun: "row", total: null };
      const erased = await inSteps(context, steps, async (report) => {
        await revokeAll(sql, { shopId: id }, actor);
        for (const each of keys) await revokeApiKey(sql, each.id, actor);
        const rows = await eraseSurvey(sql, id, report);
        const records = await eraseNames(
          sql,
          { shopId: id },
          [...new Set([name, ...(await namesInAudit(sql, "shop", id))])],
          key,
        );
        const forgotten = await forgetAll(sql, { shopId: id }, actor, redis.forgetTokens);
        await eraseUsage(sql, id);
        report(rows + forgotten);
        const counts = { rows, connections: forgotten, audit_records: records };
        await eraseShop(sql, id, counts, actor);
        return counts;
      });
      return {
        json: { id, erased },
        text: `The shop ${id} is erased: ${countOf(erased.rows, "row")} of its survey, ${countOf(erased.connections, "connection")}.`,
      };
    }),
  );
}
