import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { DirectoryError } from "../directory-error.ts";
import { type Group, groupOf, groupTerms, memberAction } from "./group.ts";
import { requireOwner } from "./member.ts";
import { refuseLastOwner } from "./remove-member.ts";
import { requireRole } from "./role.ts";
import { tellOwners } from "./tell-owners.ts";

export type RoleChange = Group & {
  readonly merchantId: string;
  readonly role: string;
  /** The owner who asks for it, by id. */
  readonly byOwner: string;
};

/**
 * Gives a member of the shop the other role. Of two owners who step down at once one stays. The same role again changes nothing.
 * Indexes: memberships_by_shop, memberships_pkey.
 * @throws {DirectoryError} INVALID_ROLE, NOT_AN_OWNER, LAST_OWNER, UNKNOWN_MEMBER
 */
export async function changeRole(sql: Sql, change: RoleChange, actor: Actor): Promise<void> {
  const { merchantId } = change;
  const group = groupOf(change);
  const role = requireRole(change.role);
  await transaction(sql, async (tx) => {
    const owners = await requireOwner(tx, group, change.byOwner);
    const { members, column, id, noun } = groupTerms(tx, group);
    const [member] = await tx<{ email: string; role: string }[]>`
      SELECT p.email, m.role FROM ${members} m JOIN directory.merchants p ON p.id = m.merchant_id
      WHERE m.merchant_id = ${merchantId} AND m.${column} = ${id} FOR UPDATE OF m`;
    if (!member) {
      throw new DirectoryError("UNKNOWN_MEMBER", `the merchant ${merchantId} is not a member of the ${noun} ${id}`);
    }
    const { email, role: from } = member;
    if (from === role) return;
    const tell = () => tellOwners(tx, "role", group, { memberId: merchantId, role }, actor);
    if (from === "owner") {
      refuseLastOwner(owners, merchantId, noun);
      // Before: who is an owner no longer is told too.
      await tell();
    }
    await tx`UPDATE ${members} SET role = ${role} WHERE merchant_id = ${merchantId} AND ${column} = ${id}`;
    const action = memberAction("role");
    await recordAudit(tx, { action, ...group, merchantId, detail: { email, role, from } }, actor);
    if (role === "owner") await tell();
  });
}
