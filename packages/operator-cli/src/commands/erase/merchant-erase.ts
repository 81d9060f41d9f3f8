import type { Command } from "@commander-js/extra-typings";
import { formerEmails } from "@partner-connect/audit";
import {
  eraseAccount,
  refuseSoleMember,
  requireMerchant,
  setMerchantStatus,
  shopsOfMerchant,
} from "@partner-connect/directory";
import { type Cli, YES } from "../../cli.ts";
import { countOf } from "../../print.ts";
import { withRedis } from "./erase-redis.ts";

export function addMerchantErase(merchant: Command, cli: Cli): void {
  merchant
    .command("erase")
    .description(
      "Erase a merchant: the account, sessions, links, and the address in the audit log; shops and connections stay",
    )
    .argument("<merchant>", "the merchant's email or id")
    .option(...YES)
    .action(
      cli.onDatabase(
        async (stack, given, consent) => {
          const { sql, actor } = stack;
          const { id, email, name } = await requireMerchant(sql, given);
          await refuseSoleMember(sql, id);
          const shops = await shopsOfMerchant(sql, id);
          const effects = [
            `${name} (${email}) is erased for good: name, address, password, sessions, links, devices, and the membership of ${countOf(shops.length, "shop")}.`,
            "The address is removed from the audit log. What was done stays, under the merchant's id, until its months are dropped.",
            "Shops and their connections stay. Logs have the id and network addresses, no name; backups are not changed.",
          ];
          await cli.confirmErasure(consent, effects, email);
          return await withRedis(stack, async (redis) => {
            await setMerchantStatus(sql, email, "disabled", actor); // no sign-in is possible from here on
            let keys = 0;
            for (const each of [email, ...(await formerEmails(sql, id))]) keys += await redis.forgetMerchant(id, each);
            const records = await eraseAccount(sql, id, { redis_keys: keys, shops: shops.length }, actor);
            return {
              json: { id, erased: { audit_records: records, redis_keys: keys, memberships: shops.length } },
              text: `The merchant ${id} is erased. In the audit log ${countOf(records, "record")} named the address.`,
            };
          });
        },
        { statementTimeout: 0 },
      ),
    );
}
