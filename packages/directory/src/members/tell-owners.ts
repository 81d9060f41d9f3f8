import type { Actor } from "@partner-connect/audit";
import type { Queries } from "@partner-connect/database";
import { mailOwners } from "@partner-connect/mail";
import type { Group } from "./group.ts";
import type { Role } from "./role.ts";

/**
 * Writes a mail to each owner of the shop, in the transaction that changes who belongs to it.
 * `role` is the one that the member has from now on. Index: memberships_by_shop.
 */
export async function tellOwners(
  sql: Queries,
  change: "added" | "removed" | "role",
  { shopId }: Group,
  { memberId, role }: { readonly memberId: string; readonly role?: Role },
  actor: Actor,
): Promise<void> {
  const who = { member_id: memberId, role };
  const about = JSON.stringify({ ...who, by: merchantOf(actor) });
  await mailOwners(sql, `member_${change}`, {
    shopId: sql`${shopId}::text`,
    about: sql`${about}::text::jsonb`,
    from: sql``,
  });
}

function merchantOf({ name }: Actor): string | null {
  return /^merchant:(.*)$/.exec(name)?.[1] ?? null;
}
