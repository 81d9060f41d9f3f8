import type { Sql } from "@partner-connect/database";
import { openMirror } from "./mirror.ts";

/** Where the partner's mirror differs from the shops: one line a shop, without end while there are some. */
export async function differences(sql: Sql, clientId: string, folder: string): Promise<string[]> {
  const shops = await sql<{ shopId: string; connectionId: string; status: string; records: Record<string, string> }[]>`
    SELECT c.shop_id AS "shopId", c.id AS "connectionId", CASE WHEN c.disabled THEN 'disabled' ELSE c.status END AS status,
      (SELECT coalesce(jsonb_object_agg(r.id, (r.doc::json -> 'response')::text), '{}') FROM survey.responses r WHERE r.shop_id = c.shop_id) AS records
    FROM oauth.connections c WHERE c.client_id = ${clientId} AND c.connected_at IS NOT NULL`;
  const file = openMirror(folder);
  try {
    const statuses = new Map(
      file
        .prepare("SELECT id, status FROM connections")
        .all()
        .map(({ id, status }) => [String(id), String(status)]),
    );
    const copies = new Map<string, Record<string, string>>();
    for (const { shop_id, id, record } of file.prepare("SELECT shop_id, id, record FROM responses").all()) {
      const copy = copies.get(String(shop_id)) ?? {};
      copy[String(id)] = JSON.stringify(JSON.parse(String(record)).response);
      copies.set(String(shop_id), copy);
    }
    return shops.flatMap(({ shopId, connectionId, status, records }) => {
      const known = statuses.get(connectionId) ?? "unknown";
      if (known !== status) return `${connectionId} of ${shopId}: ${known} for the partner, ${status} here`;
      const wanted = status === "revoked" ? {} : records;
      return shownDifference(shopId, wanted, copies.get(shopId) ?? {});
    });
  } finally {
    file.close();
  }
}

function shownDifference(
  shopId: string,
  wanted: Readonly<Record<string, string>>,
  copy: Readonly<Record<string, string>>,
): string[] {
  const ids = new Set([...Object.keys(wanted), ...Object.keys(copy)]);
  const wrong = [...ids].filter((id) => wanted[id] !== copy[id]);
  if (wrong.length === 0) return [];
  const [id = ""] = wrong;
  return [
    `${shopId}: ${wrong.length} of ${ids.size} records differ, ${id}: ${copy[id]} for the partner, ${wanted[id]} here`,
  ];
}
