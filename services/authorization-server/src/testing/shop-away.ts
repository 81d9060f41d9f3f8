import type { Sql } from "@partner-connect/database";

/** Lets the services read no connection of the shop while `work` runs, as where the shop's node of a cluster is away. */
export async function whileShopIsAway(owner: Sql, shopId: string, work: () => Promise<void>): Promise<void> {
  const fails = `1 / (CASE WHEN shop_id = '${shopId}' THEN 0 ELSE 1 END) = 1`;
  await owner.unsafe(`CREATE POLICY shop_is_away ON oauth.connections USING (${fails})`);
  await owner.unsafe("ALTER TABLE oauth.connections ENABLE ROW LEVEL SECURITY");
  try {
    await work();
  } finally {
    await owner.unsafe("ALTER TABLE oauth.connections DISABLE ROW LEVEL SECURITY");
    await owner.unsafe("DROP POLICY shop_is_away ON oauth.connections");
  }
}
