import type { Sql } from "@partner-connect/database";
import { setShopPlan } from "@partner-connect/directory";
import { deleteResponses, recategorizeResponses } from "@partner-connect/survey-data";
import { chooseShop, numberOf } from "./choose.ts";
import { type SandboxWorld, type Trigger, TriggerError, type TriggerOptions } from "./trigger.ts";

const MOST = { fallback: 1, max: 100_000 };

export const PLAN_CHANGE: Trigger = {
  name: "plan-change",
  does: "changes the shop's plan to --plan, or from one plan to the other",
  partner:
    "on 'standard', POST /api/sources says 403 insufficient_scope and the next refresh leaves sources:write out of scope; on 'advanced_attribution' a refresh gives it back",
  options: ["shop", "connection", "client", "plan"],
  pull: (world, options, actor) =>
    world.withDatabase(async (sql) => {
      const { id, plan } = await chooseShop(sql, options, world.lifetimes.refreshToken);
      const to = options.plan ?? (plan === "standard" ? "advanced_attribution" : "standard");
      await setShopPlan(sql, id, to, actor);
      return { shop: id, plan: to };
    }),
};

export const RECATEGORIZE: Trigger = {
  name: "recategorize",
  does: "gives the shop's newest --count responses (1) another 'response': --response, or one with the time in it",
  partner: "their updated_at is new: a sync by updated_at brings them again, with original_response",
  options: ["shop", "connection", "client", "count", "response"],
  pull: (world, options, actor) =>
    withNewest(world, options, async (sql, shopId, ids) => {
      const response = options.response ?? `Recategorized ${world.clock.now().toISOString()}`;
      const { changed } = await recategorizeResponses(sql, { shopId, ids, response }, actor);
      return { shop: shopId, changed, response };
    }),
};

export const DELETE: Trigger = {
  name: "delete",
  does: "deletes the shop's newest --count responses (1) for good",
  partner: "they are in GET /api/deleted-responses: delete your copies",
  options: ["shop", "connection", "client", "count"],
  pull: (world, options, actor) =>
    withNewest(world, options, async (sql, shopId, ids) => ({
      shop: shopId,
      deleted: await deleteResponses(sql, { shopId, ids }, actor),
      ids: ids.slice(0, 10),
    })),
};

function withNewest(
  world: SandboxWorld,
  options: TriggerOptions,
  work: (sql: Sql, shopId: string, ids: string[]) => Promise<Readonly<Record<string, unknown>>>,
) {
  return world.withDatabase(async (sql) => {
    const { id } = await chooseShop(sql, options, world.lifetimes.refreshToken);
    const count = numberOf(options, "count", MOST);
    const rows = await sql<{ id: string }[]>`
      SELECT id FROM survey.responses WHERE shop_id = ${id} ORDER BY inserted_at DESC, id DESC LIMIT ${count}`;
    if (rows.length === 0) throw new TriggerError(`the shop ${id} has no responses`);
    const ids = rows.map((row) => row.id);
    return await work(sql, id, ids);
  });
}
