import type { Sql } from "@partner-connect/database";
import type { Command } from "commander";
import { type Consent, carryOut, destructive } from "../../options/confirm.ts";
import { type Answer, type OpenStack, onDatabase } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import { inSteps } from "../../run/long-work.ts";
import { countOf } from "../../terminal/progress.ts";
import { withRedis } from "./erase-redis.ts";

export function addShopErase(shop: Command, context: Context): void {
  destructive(shop.command("erase"))
    .description("Erase a shop: responses, questions, sources, connections, keys, counts, and names in the audit log")
    .argument("<shop>", "the shop's id or whole name")
    .action(
      onDatabase(context, (stack, given: string, consent: Consent) => eraseShopOf(context, stack, given, consent), {
        statementTimeout: 0,
      }),
    );
}

async function eraseShopOf(context: Context, stack: OpenStack, given: string, consent: Consent): Promise<Answer> {
  const { sql, actor } = stack;
  const { listApiKeys, membersOfShop, shopByIdOrName } = await import("@partner-connect/directory");
  const { countRevocable, eraseWholeShop } = await import("@partner-connect/connections");
  const { id, name } = await shopByIdOrName(sql, given);
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
    "Names and addresses are removed from the audit log. What was done stays, under ids, until its months are dropped.",
    "Logs have ids and network addresses, no name; backups are not changed.",
  ];
  return await carryOut(context, consent, effects, () =>
    withRedis(stack, async (redis) => {
      const steps = { noun: "row", total: null };
      const erased = await inSteps(context, steps, (report) =>
        eraseWholeShop(sql, id, actor, redis.forgetTokens, report),
      );
      return {
        json: { id, erased },
        text: `The shop ${id} is erased: ${countOf(erased.rows, "row")} of its survey, ${countOf(erased.connections, "connection")}.`,
      };
    }),
  );
}

async function countSurvey(sql: Sql, shopId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    SELECT (SELECT count(*) FROM survey.responses WHERE shop_id = ${shopId})::int
      + (SELECT count(*) FROM survey.questions WHERE shop_id = ${shopId})::int
      + (SELECT count(*) FROM survey.sources WHERE shop_id = ${shopId})::int AS count`;
  return row?.count ?? 0;
}
