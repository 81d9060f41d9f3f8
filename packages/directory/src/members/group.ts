import type { AuditAction } from "@partner-connect/audit";
import type { Queries } from "@partner-connect/database";
import { requireClient } from "../clients/clients.ts";
import { requireShop } from "../shops/shop.ts";

/** What people belong to: a shop, or a client whose pages they see. */
export type Group =
  | { readonly shopId: string; readonly clientId?: undefined }
  | { readonly clientId: string; readonly shopId?: undefined };

/** The group alone, of something that has more. */
export function groupOf({ shopId, clientId }: Group): Group {
  return shopId === undefined ? { clientId } : { shopId };
}

/** What statements, records and messages say of a group. */
export function groupTerms(sql: Queries, { shopId, clientId }: Group) {
  return shopId === undefined
    ? ({
        noun: "client",
        id: clientId,
        members: sql`directory.client_members`,
        column: sql`client_id`,
        purpose: "partner_invitation",
        actions: "partner",
      } as const)
    : ({
        noun: "shop",
        id: shopId,
        members: sql`directory.memberships`,
        column: sql`shop_id`,
        purpose: "invitation",
        actions: "member",
      } as const);
}

/** The name of an event of the group's people. */
export function memberAction(
  { shopId }: Group,
  verb: "invite" | "uninvite" | "add" | "remove" | "leave" | "role",
): AuditAction {
  return `${shopId === undefined ? "partner" : "member"}_${verb}`;
}

/** @throws {DirectoryError} UNKNOWN_SHOP, UNKNOWN_CLIENT */
export async function requireGroup(sql: Queries, { shopId, clientId }: Group): Promise<void> {
  if (shopId === undefined) await requireClient(sql, clientId);
  else await requireShop(sql, shopId);
}
