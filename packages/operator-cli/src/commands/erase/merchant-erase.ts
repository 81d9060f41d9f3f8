import type { Sql } from "@partner-connect/database";
import type { MerchantAccount } from "@partner-connect/directory";
import type { Command } from "commander";
import { type Consent, carryOut, destructive } from "../../options/confirm.ts";
import { type Answer, type OpenStack, onDatabase } from "../../run/command.ts";
import { type Context, OperatorError } from "../../run/context.ts";
import { countOf } from "../../terminal/progress.ts";
import { withRedis } from "./erase-redis.ts";

export function addMerchantErase(merchant: Command, context: Context): void {
  destructive(merchant.command("erase"))
    .description(
      "Erase a merchant: the account, sessions, links, and the address in the audit log; shops and connections stay",
    )
    .argument("<email>", "the merchant's email, or id")
    .action(
      onDatabase(context, (stack, given: string, consent: Consent) => eraseMerchant(context, stack, given, consent), {
        statementTimeout: 0,
      }),
    );
}

async function eraseMerchant(context: Context, stack: OpenStack, given: string, consent: Consent): Promise<Answer> {
  const { sql, actor } = stack;
  const { eraseAccount, refuseSoleMember, setMerchantStatus, shopsOfMerchant } = await import(
    "@partner-connect/directory"
  );
  const { formerEmails } = await import("@partner-connect/audit");
  const { id, email, name } = await findOne(sql, given);
  await refuseSoleMember(sql, id);
  const shops = await shopsOfMerchant(sql, id);
  const effects = [
    `${name} (${email}) is erased for good: name, address, password, sessions, links, devices, and the membership of ${countOf(shops.length, "shop")}.`,
    "The address is removed from the audit log. What was done stays, under the merchant's id, until its months are dropped.",
    "Shops and their connections stay. Logs have the id and network addresses, no name; backups are not changed.",
  ];
  return await carryOut(context, consent, effects, () =>
    withRedis(stack, async (redis) => {
      await setMerchantStatus(sql, email, "disabled", actor); // nobody signs in from here on
      let keys = 0;
      for (const each of [email, ...(await formerEmails(sql, id))]) keys += await redis.forgetMerchant(id, each);
      const records = await eraseAccount(sql, id, { redis_keys: keys, shops: shops.length }, actor);
      return {
        json: { id, erased: { audit_records: records, redis_keys: keys, memberships: shops.length } },
        text: `The merchant ${id} is erased. In the audit log ${countOf(records, "record")} named the address.`,
      };
    }),
  );
}

async function findOne(sql: Sql, given: string): Promise<MerchantAccount> {
  const { findMerchant, findMerchantByEmail } = await import("@partner-connect/directory");
  const found = await (given.includes("@") ? findMerchantByEmail : findMerchant)(sql, given.trim());
  if (found) return found;
  throw new OperatorError(`there is no merchant ${JSON.stringify(given)}`, { code: "UNKNOWN_MERCHANT" });
}
