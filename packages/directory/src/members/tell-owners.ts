import type { Actor } from "@partner-connect/audit";
import type { Queries } from "@partner-connect/database";
import { mailOwners } from "@partner-connect/mail";
import type { Role } from "./role.ts";

/** Writes a mail to each owner of the shop, in the transaction that changes who belongs to the shop. Index: memberships_by_shop. */
export async function tellOwners(
  sql: Queries,
  kind: "member_added" | "member_removed" | "member_role",
  { shopId, memberId, role }: { readonly shopId: string; readonly memberId: string; readonly role?: Role },
  actor: Actor,
): Promise<void> {
  const by = /^merchant:(.*)$/.exec(actor.name)?.[1] ?? null;
  const about = JSON.stringify({ member_id: memberId, role, by });
  await mailOwners(sql, kind, { shopId: sql`${shopId}::text`, about: sql`${about}::text::jsonb`, from: sql`` });
}
