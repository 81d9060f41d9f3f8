import type { Actor } from "@partner-connect/audit";
import type { Queries, Row, Statement } from "@partner-connect/database";
import { mailMembers } from "@partner-connect/mail";

type Fragment = Statement<Row[]>;

/**
 * The mails to the shops' members of an event, as part of the statement that changes the connections. `from` has columns id, shop_id,
 * client_id, merchant_id; `scope` is an expression over it.
 */
export function tellConnected(
  sql: Queries,
  kind: "app_connected" | "app_widened",
  scope: Fragment,
  from: Fragment,
): Fragment {
  const about = sql`jsonb_build_object('client_id', client_id, 'connection_id', id, 'by', merchant_id, 'scope', to_jsonb(${scope}))`;
  return mailMembers(sql, kind, { of: sql`shop_id`, about, from });
}

/** The reason of a revocation by a code that is sent again long after its exchange, which may have leaked. */
export const CODE_REPLAYED = "code replayed";

/** None if a merchant of the shop disconnects the app herself. `from` has columns id, shop_id, client_id. */
export function tellDisconnected(sql: Queries, actor: Actor, from: Fragment, reason?: string | null): Fragment {
  const by = reason === CODE_REPLAYED ? "replay" : actor.name.startsWith("client:") ? "client" : "operator";
  const about = sql`jsonb_build_object('client_id', client_id, 'connection_id', id, 'by', ${by}::text)`;
  const condition = sql`WHERE ${!actor.name.startsWith("merchant:")}`;
  return mailMembers(sql, "app_disconnected", { of: sql`shop_id`, about, from: sql`${from} ${condition}` });
}
