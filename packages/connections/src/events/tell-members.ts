import type { Actor } from "@partner-connect/audit";
import type { Queries } from "@partner-connect/database";
import { mailMembers } from "@partner-connect/mail";

/** A connection that has changed. */
interface Told {
  readonly id: string;
  readonly shopId: string;
  readonly clientId: string;
}

/** Mails to the shop's members, in the transaction of the change. `scope` is what the app may do, or may do in addition. */
export async function tellConnected(
  sql: Queries,
  kind: "app_connected" | "app_widened",
  { id, shopId, clientId, merchantId }: Told & { readonly merchantId: string },
  scope: readonly string[],
): Promise<void> {
  await mailMembers(sql, kind, [
    { of: shopId, about: { client_id: clientId, connection_id: id, by: merchantId, scope } },
  ]);
}

/** The reason of a revocation by a code that is sent again long after its exchange, which may have leaked. */
export const CODE_REPLAYED = "code replayed";

/** The same for connections that ended. None if a merchant of the shop disconnects the app. */
export async function tellDisconnected(
  sql: Queries,
  actor: Actor,
  ended: readonly Told[],
  reason?: string | null,
): Promise<void> {
  if (actor.name.startsWith("merchant:") || ended.length === 0) return;
  const by = reason === CODE_REPLAYED ? "replay" : actor.name.startsWith("client:") ? "client" : "operator";
  const about = ({ id, clientId }: Told) => ({ client_id: clientId, connection_id: id, by }) as const;
  await mailMembers(
    sql,
    "app_disconnected",
    ended.map((each) => ({ of: each.shopId, about: about(each) })),
  );
}
