import type { Actor } from "@partner-connect/audit";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { isBeingErased, startMerchantErasure, startShopErasure } from "@partner-connect/directory";
import { addJob } from "@partner-connect/jobs";
import { endShopAccess, eraseAccount, eraseMarkedShop } from "./erase.ts";

/** The data of the back office's job that carries out an erasure. */
export interface Erasure {
  readonly what: "merchant" | "shop";
  readonly id: string;
  /** The actor's name, and the id of the request. */
  readonly by: string;
  readonly requestId?: string | undefined;
}

/**
 * Ends the sessions and memberships of the product's merchant, and queues the account's erasure.
 * Does nothing if there is no such merchant.
 * @throws {DirectoryError} NOT_OF_PRODUCT
 */
export async function requestMerchantErasure(sql: Sql, id: string, actor: Actor): Promise<void> {
  await transaction(sql, async (tx) => {
    if (await startMerchantErasure(tx, id, actor)) await enqueue(tx, "merchant", id, actor);
  });
}

/**
 * Ends all access to the product's shop, and queues its erasure. Idempotent. Does nothing if there
 * is no such shop.
 * @throws {DirectoryError} NOT_OF_PRODUCT
 */
export async function requestShopErasure(sql: Sql, id: string, actor: Actor): Promise<void> {
  const isKnown = await transaction(sql, async (tx) => {
    if (!(await startShopErasure(tx, id, actor))) return false;
    await enqueue(tx, "shop", id, actor);
    return true;
  });
  if (isKnown) await endShopAccess(sql, id, actor);
}

async function enqueue(tx: Queries, what: Erasure["what"], id: string, { name, requestId }: Actor) {
  const erasure: Erasure = { what, id, by: name, requestId };
  await addJob(tx, "back_office_jobs", "erasure", erasure, `${what} ${id}`);
}

/** Carries out an erasure, and can be repeated. Returns "gone" if it was done before. */
export async function runErasure(sql: Sql, erasure: Erasure): Promise<"gone" | "erased"> {
  const { what, id, by, requestId } = erasure;
  // After the erasure the product may have created a merchant or shop with this id again.
  if (!(await isBeingErased(sql, what, id))) return "gone";
  const actor = { name: by, requestId };
  if (what === "shop") await eraseMarkedShop(sql, id, actor);
  else await eraseAccount(sql, id, {}, actor);
  return "erased";
}
