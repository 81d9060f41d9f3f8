import { isDefect } from "@partner-connect/service-runtime";
import type { FastifyBaseLogger } from "fastify";

export interface ReadShops<Row> {
  readonly rows: readonly Row[];
  /** Why a shop could not be read, by the shop's id. The log has it too. */
  readonly faults: ReadonlyMap<string, unknown>;
}

/**
 * Reads a merchant's shops by one statement; if a fault of the store refuses it, each by its own, so what happens to one takes nothing from
 * the others. @throws a defect; the fault, if no shop can be read
 */
export async function readShops<Row>(
  shopIds: readonly string[],
  log: FastifyBaseLogger,
  read: (shopIds: readonly string[]) => Promise<readonly Row[]>,
): Promise<ReadShops<Row>> {
  if (shopIds.length === 0) return { rows: [], faults: new Map() };
  try {
    return { rows: await read(shopIds), faults: new Map() };
  } catch (error) {
    if (isDefect(error) || shopIds.length === 1) throw error;
  }
  const results = await Promise.allSettled(shopIds.map((id) => read([id])));
  const faults = new Map<string, unknown>();
  for (const [index, result] of results.entries()) {
    if (result.status === "rejected") faults.set(shopIds[index] ?? "", result.reason);
  }
  const errors = [...faults.values()];
  const decisive = errors.findIndex(isDefect);
  if (decisive >= 0 || faults.size === shopIds.length) throw errors[Math.max(decisive, 0)];
  for (const [shopId, err] of faults) log.error({ err, shopId }, "a shop can't be read");
  return { rows: results.flatMap((result) => (result.status === "fulfilled" ? result.value : [])), faults };
}
