import { isDefect } from "@partner-connect/service-runtime";
import type { FastifyBaseLogger } from "fastify";
import { beforeDeadline } from "./page-deadline.ts";

/**
 * Reads each of the merchant's shops, side by side. On a cluster the node of some may be away, which takes nothing from the others:
 * of those the result is `rejected`, and the log has why.
 * @throws a defect; the fault, if no shop can be read
 */
export async function eachShop<Shop extends { readonly id: string }, Found>(
  shops: readonly Shop[],
  log: FastifyBaseLogger,
  read: (shop: Shop) => Promise<Found>,
): Promise<PromiseSettledResult<Found>[]> {
  const results = await Promise.allSettled(shops.map((shop) => beforeDeadline(read(shop))));
  const failures = results.flatMap((result, index) =>
    result.status === "rejected" ? [{ shopId: shops[index]?.id, error: result.reason as unknown }] : [],
  );
  const decisive = failures.find(({ error }) => isDefect(error)) ?? (failures.length === shops.length && failures[0]);
  if (decisive) throw decisive.error;
  for (const { shopId, error } of failures) log.error({ err: error, shopId }, "a shop can't be read");
  return results;
}
