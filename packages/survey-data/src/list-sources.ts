import type { Sql } from "@partner-connect/database";
import { requireShop } from "./shop-write.ts";

/** An attribution source that a partner or a merchant has made. */
export interface ListedSource {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly externalId: string | null;
  readonly url: string | null;
  readonly aliases: readonly string[];
  readonly insertedAt: Date;
  readonly updatedAt: Date;
}

/** All sources of a shop, oldest first: for operators. Throws {@link UnknownShopError}. Index: sources_pkey. */
export async function listSources(sql: Sql, shopId: string): Promise<ListedSource[]> {
  await requireShop(sql, shopId);
  return await sql<ListedSource[]>`
    SELECT id, name, type, external_id AS "externalId", url, aliases, inserted_at AS "insertedAt",
      updated_at AS "updatedAt"
    FROM survey.sources WHERE shop_id = ${shopId} ORDER BY id`;
}
