import type { AuditAction } from "@partner-connect/audit";
import type { Queries } from "@partner-connect/database";
import { requireShop } from "../shops/shop.ts";

/** What people belong to. */
export interface Group {
  readonly shopId: string;
}

/** The group alone, of something that has more. */
export function groupOf({ shopId }: Group): Group {
  return { shopId };
}

/** What statements, records and messages say of a group. */
export function groupTerms(sql: Queries, { shopId }: Group) {
  return {
    noun: "shop",
    id: shopId,
    members: sql`directory.memberships`,
    column: sql`shop_id`,
    purpose: "invitation",
    actions: "member",
  } as const;
}

/** The name of an event of the group's people. */
export function memberAction(verb: "invite" | "uninvite" | "add" | "remove" | "leave" | "role"): AuditAction {
  return `member_${verb}`;
}

/** @throws {DirectoryError} UNKNOWN_SHOP */
export async function requireGroup(sql: Queries, { shopId }: Group): Promise<void> {
  await requireShop(sql, shopId);
}
