import type { Actor } from "@partner-connect/audit";
import type { Queries } from "@partner-connect/database";
import { mailOwners, type QueuedMail, queueMail } from "@partner-connect/mail";
import type { Group } from "./group.ts";
import type { Role } from "./role.ts";

/**
 * Writes a mail to each owner of the shop or client, in the transaction that changes who belongs to it.
 * `role` is the one that the member has from now on. Indexes: memberships_by_shop, client_members_by_client.
 */
export async function tellOwners(
  sql: Queries,
  change: "added" | "removed" | "role",
  { shopId, clientId }: Group,
  { memberId, role }: { readonly memberId: string; readonly role?: Role },
  actor: Actor,
): Promise<void> {
  const who = { member_id: memberId, role };
  if (shopId === undefined) {
    await tellClientOwners(sql, clientId, actor, (merchantId, by) => ({
      kind: "client_team_changed",
      merchantId,
      about: { client_id: clientId, ...who, by },
    }));
    return;
  }
  const about = JSON.stringify({ ...who, by: merchantOf(actor) });
  await mailOwners(sql, `member_${change}`, {
    shopId: sql`${shopId}::text`,
    about: sql`${about}::text::jsonb`,
    from: sql``,
  });
}

/** Writes such a mail to each owner of the client. Index: client_members_by_client. */
export async function tellClientOwners(
  sql: Queries,
  clientId: string,
  actor: Actor,
  mailTo: (merchantId: string, by: string | null) => QueuedMail,
): Promise<void> {
  const owners = await sql<{ id: string }[]>`
    SELECT merchant_id AS id FROM directory.client_members WHERE client_id = ${clientId} AND role = 'owner'`;
  for (const { id } of owners) await queueMail(sql, mailTo(id, merchantOf(actor)));
}

function merchantOf({ name }: Actor): string | null {
  return /^merchant:(.*)$/.exec(name)?.[1] ?? null;
}
