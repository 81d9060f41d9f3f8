import type { Queries } from "@partner-connect/database";
import { DirectoryError } from "../directory-error.ts";

/** Who invited an account into being. */
export interface Invited {
  /** The owner who invited; null: not known. */
  readonly by: { readonly id: string; readonly email: string } | null;
  readonly to: { readonly id: string; readonly name: string } | null;
}

/** An expression: the {@link Invited} of the merchant `m`, or null if an operator made the account. */
export function invitedColumn(sql: Queries) {
  return sql`CASE WHEN num_nonnulls(m.invited_by, m.invited_to) > 0 THEN jsonb_build_object(
    'by', (SELECT jsonb_build_object('id', i.id, 'email', i.email) FROM directory.merchants i WHERE i.id = m.invited_by),
    'to', (SELECT jsonb_build_object('id', t.id, 'name', t.name) FROM directory.shops t WHERE t.id = m.invited_to)) END`;
}

/**
 * An account that an invitation made may be in the hands of who invited: until a link of the operator was used, nobody has shown that the
 * address is the merchant's. Index: merchants_pkey.
 * @throws {DirectoryError} UNCONFIRMED_MERCHANT, with who invited
 */
export async function requireConfirmed(sql: Queries, merchantId: string): Promise<void> {
  const [merchant] = await sql<{ email: string; confirmed: boolean; invited: Invited | null }[]>`
    SELECT m.email, m.confirmed, ${invitedColumn(sql)} AS invited FROM directory.merchants m WHERE m.id = ${merchantId}`;
  if (!merchant || merchant.confirmed) return;
  const { email, invited } = merchant;
  throw new DirectoryError("UNCONFIRMED_MERCHANT", `the account of ${email} is not confirmed: ${madeBy(invited)}`);
}

/** Such as: it was made by an invitation of mallory@shop.example (mer_1) to the shop "Hats" (shop_1). */
function madeBy(invited: Invited | null): string {
  if (!invited) return "a former release made it, perhaps by an invitation";
  const by = invited.by ? ` of ${invited.by.email} (${invited.by.id})` : "";
  const to = invited.to ? ` to the shop ${JSON.stringify(invited.to.name)} (${invited.to.id})` : "";
  return `it was made by an invitation${by}${to}`;
}
