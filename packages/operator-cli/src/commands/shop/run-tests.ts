import { setTimeout as sleep } from "node:timers/promises";
import type { TestShop } from "@partner-connect/directory";
import type { Command } from "commander";
import { type Answer, type OpenStack, onDatabase } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import { countOf } from "../../terminal/progress.ts";
import { say } from "../../terminal/screen.ts";
import { withRedis } from "../erase/erase-redis.ts";
import { eraseWholeShop } from "../erase/shop-erase.ts";

/** Between two looks at what is due: somebody waits for a shop that was just made, and for a change. */
const LOOK_MS = 1000;

export function addRunTests(shop: Command, context: Context): void {
  shop
    .command("run-tests")
    .description(
      "Fill new test shops, change them as partners request and those that are read once a minute, and erase those that have ended",
    )
    .option("--once", "do what is due, and end; otherwise it goes on until it is stopped")
    .addHelpText("after", HELP)
    .action(
      onDatabase(context, (stack, { once }: { readonly once?: boolean }) => runTests(context, stack, once === true), {
        statementTimeout: 0,
      }),
    );
}

async function runTests(context: Context, stack: OpenStack, once: boolean): Promise<Answer> {
  const counts = { filled: 0, changed: 0, erased: 0 };
  for (;;) {
    const { dueTestShops, takeTestShopStep } = await import("@partner-connect/directory");
    for (const shop of await dueTestShops(stack.sql)) {
      if (!(await takeTestShopStep(stack.sql, shop.shopId))) continue;
      const done = await step(stack, shop);
      if (done === null) continue;
      if (done !== "changed") say(context.terminal.stderr, `${done} the test shop ${shop.shopId} of ${shop.clientId}`);
      counts[done]++;
    }
    if (once) break;
    await sleep(LOOK_MS);
  }
  const { filled, changed, erased } = counts;
  return {
    json: counts,
    text: `Filled ${countOf(filled, "test shop")}, changed ${changed} and erased ${erased}.`,
  };
}

/** What the shop needs now. Null: nothing, as nobody reads it. */
async function step(stack: OpenStack, shop: TestShop): Promise<"filled" | "changed" | "erased" | null> {
  const { sql, actor } = stack;
  const { shopId, steps, isEnding, change, changeBy } = shop;
  if (isEnding) {
    await withRedis(stack, (redis) => eraseWholeShop(sql, shopId, actor, redis));
    return "erased";
  }
  const { noteTestShopStep } = await import("@partner-connect/directory");
  const { applyTestShopChange, changeTestShop, countTestShopResponses, fillTestShop } = await import(
    "@partner-connect/survey-data/generated"
  );
  let requested: TestShop["lastChange"] = null;
  if (steps === 0) await fillTestShop(sql, shopId);
  else if (change !== null) {
    const count = await applyTestShopChange(sql, shopId, change, steps, { name: changeBy ?? "system" });
    requested = { change, count };
  } else {
    const { isUsed } = await import("@partner-connect/connections");
    if (!(await isUsed(sql, shop))) return null;
    await changeTestShop(sql, shopId, steps);
  }
  await noteTestShopStep(sql, shopId, await countTestShopResponses(sql, shopId), requested);
  return steps === 0 ? "filled" : "changed";
}

const HELP = `
A test shop belongs to a client's partner, who connects it like a merchant. Its responses are made up: two thousand of a year, and while the
client has used its connection within a day, each minute two more, one that is recategorized, and two that are deleted. No record of the audit
log tells of these changes. Partners request further ones on the shop's page, which are on record. Two processes do no harm: each step is taken by one.`;
