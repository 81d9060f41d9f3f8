import { wasUsedRecently } from "@partner-connect/connections";
import type { Sql } from "@partner-connect/database";
import {
  filledTestShops,
  findTestShop,
  recordTestShopStep,
  type TestShop,
} from "@partner-connect/directory";
import { eraseShop } from "@partner-connect/erasure";
import {
  applyTestShopChange,
  countTestShopResponses,
  fillTestShop,
  simulateTestShop,
} from "@partner-connect/survey-data/generated";
import type { Kind } from "../jobs.ts";

const SYSTEM = { name: "system" };

/** Jobs that apply partners' requests to their test shops, and the regular change every minute. */
export function testShopKinds(sql: Sql): Kind<never>[] {
  const recordStep = async (shopId: string, done: TestShop["lastChange"] = null) =>
    await recordTestShopStep(sql, shopId, await countTestShopResponses(sql, shopId), done);
  /** Does what the shop's row requests; a change is made at least once. */
  const requested: Kind<{ readonly shop_id: string }> = {
    ...{ kind: "test_shop", lanes: 2, batch: 1, isOneAtATime: true },
    async run({ data: { shop_id: shopId } }) {
      const shop = await findTestShop(sql, shopId);
      if (shop === null) return "gone";
      const { change, changeBy, isEnding, steps } = shop;
      if (isEnding) {
        await eraseShop(sql, shopId, SYSTEM);
        return "erased";
      }
      if (steps === 0) {
        await fillTestShop(sql, shopId);
        await recordStep(shopId);
        return "filled";
      }
      if (change === null) return "done";
      const count = await applyTestShopChange(sql, shopId, change, steps, {
        name: changeBy ?? "system",
      });
      await recordStep(shopId, { change, count });
      return "changed";
    },
  };
  /**
   * In each test shop whose client has used its connection within a day, adds two responses,
   * recategorizes one and deletes two.
   */
  const used: Kind = {
    ...{ kind: "used_test_shops", lanes: 1, batch: 1, every: { seconds: 60, from: 0 } },
    async run() {
      for (const shop of await filledTestShops(sql)) {
        if (!(await wasUsedRecently(sql, shop))) continue;
        await simulateTestShop(sql, shop.shopId, shop.steps);
        await recordStep(shop.shopId);
      }
      return "changed";
    },
  };
  return [requested, used];
}
