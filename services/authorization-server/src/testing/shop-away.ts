import type { Sql } from "@partner-connect/database";

/** Raises a cluster's error for an unreachable node. The parameter delays it until execution. */
const IS_AWAY = `
CREATE FUNCTION oauth.shop_is_away(shop_id text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RAISE EXCEPTION 'the node of this shop is away' USING ERRCODE = 'connection_failure';
END $$`;

/** Runs `work` while the services can't read the shop's connections, as if its node were away. */
export async function whileShopIsAway<T>(
  owner: Sql,
  shopId: string,
  work: () => Promise<T>,
): Promise<T> {
  await owner.unsafe(IS_AWAY);
  await owner.unsafe("GRANT EXECUTE ON FUNCTION oauth.shop_is_away TO PUBLIC");
  const fails = `CASE WHEN shop_id = '${shopId}' THEN oauth.shop_is_away(shop_id) ELSE true END`;
  await owner.unsafe(`CREATE POLICY shop_is_away ON oauth.connections USING (${fails})`);
  await owner.unsafe("ALTER TABLE oauth.connections ENABLE ROW LEVEL SECURITY");
  try {
    return await work();
  } finally {
    await owner.unsafe("ALTER TABLE oauth.connections DISABLE ROW LEVEL SECURITY");
    await owner.unsafe("DROP POLICY shop_is_away ON oauth.connections");
    await owner.unsafe("DROP FUNCTION oauth.shop_is_away");
  }
}
