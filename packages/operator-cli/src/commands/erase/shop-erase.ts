import type { Command } from "@commander-js/extra-typings";
import { countRevocable, eraseWholeShop } from "@partner-connect/connections";
import type { Sql } from "@partner-connect/database";
import { listApiKeys, membersOfShop, shopByIdOrName } from "@partner-connect/directory";
import { type Cli, YES } from "../../cli.ts";
import { countOf } from "../../print.ts";
import { inSteps } from "../../progress.ts";
import { withRedis } from "./erase-redis.ts";

export function addShopErase(shop: Command, cli: Cli): void {
  shop
    .command("erase")
    .description("Erase a shop: responses, questions, sources, connections, keys, counts, and names in the audit log")
    .argument("<shop>", "the shop's id or whole name")
    .option(...YES)
    .action(
      cli.onDatabase(
        async (stack, given, consent) => {
          const { sql, actor } = stack;
          const { id, name } = await shopByIdOrName(sql, given);
          const rows = await countSurvey(sql, id);
          const connections = await countRevocable(sql, { shopId: id });
          const members = await membersOfShop(sql, id);
          const keys = (await listApiKeys(sql, { shopId: id })).filter(({ revokedAt }) => !revokedAt);
          const effects = [
            `The shop ${name} (${id}) is erased for good, with ${countOf(rows, "response, question or source")}.`,
            `${countOf(connections, "connection")} and ${countOf(keys.length, "API key")} end at once. Partners keep the copies that they have made.`,
            `${countOf(members.length, "member")} of it keep${members.length === 1 ? "s" : ""} the account.`,
            "Names and addresses are removed from the audit log. What was done stays, under ids, until its months are dropped.",
            "Logs have ids and network addresses, no name; backups are not changed.",
          ];
          await cli.confirmErasure(consent, effects, name);
          return await withRedis(stack, async (redis) => {
            const erased = await inSteps(cli.terminal, { noun: "row", total: null }, (report) =>
              eraseWholeShop(sql, id, actor, redis.forgetTokens, report),
            );
            return {
              json: { id, erased },
              text: `The shop ${id} is erased: ${countOf(erased.rows, "row")} of its survey, ${countOf(erased.connections, "connection")}.`,
            };
          });
        },
        { statementTimeout: 0 },
      ),
    );
}

async function countSurvey(sql: Sql, shopId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    SELECT (SELECT count(*) FROM survey.responses WHERE shop_id = ${shopId})::int
      + (SELECT count(*) FROM survey.questions WHERE shop_id = ${shopId})::int
      + (SELECT count(*) FROM survey.sources WHERE shop_id = ${shopId})::int AS count`;
  return row?.count ?? 0;
}
