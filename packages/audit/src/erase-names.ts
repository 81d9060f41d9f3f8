import { type Sql, transaction } from "@partner-connect/database";
import { pseudonym } from "./seals/record-digest.ts";

/** In which records: of a shop, of a client (where it is no shop's), or in all. */
export interface ErasedIn {
  readonly shopId?: string;
  readonly clientId?: string;
}

interface Found {
  readonly id: string;
  /** As Postgres writes it. */
  readonly at: string;
  readonly shopId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Puts pseudonyms in the place of these texts, wherever one is a whole text in the details of a record, and returns the number of
 * records. It reads what it looks in whole, and may be repeated. Needs the owner's role.
 */
export async function eraseNames(sql: Sql, where: ErasedIn, texts: readonly string[], key: string): Promise<number> {
  const { shopId, clientId } = where;
  if (texts.length === 0) return 0;
  const patterns = texts.map((text) => `%${JSON.stringify(text).replace(/[\\%_]/g, "\\$&")}%`);
  const named = sql`details::text LIKE ANY (${patterns}::text[])`;
  const ofShops =
    clientId === undefined &&
    sql<Found[]>`
    SELECT id, at::text AS at, shop_id AS "shopId", details FROM oauth.audit_log
    WHERE ${named} AND ${shopId === undefined ? sql`true` : sql`shop_id = ${shopId}`}`;
  const ofNone =
    shopId === undefined &&
    sql<Found[]>`
    SELECT id, at::text AS at, NULL AS "shopId", details FROM directory.audit_log
    WHERE ${named} AND ${clientId === undefined ? sql`true` : sql`client_id = ${clientId}`}`;
  const found = [...(ofShops ? await ofShops : []), ...(ofNone ? await ofNone : [])];
  const replaced = (_: string, value: unknown) =>
    typeof value === "string" && texts.includes(value) ? pseudonym(key, value) : value;
  await transaction(sql, async (tx) => {
    for (const { id, at, shopId: shop, details } of found) {
      const after = tx`details = ${JSON.stringify(details, replaced)}::text::jsonb`;
      const record = tx`id = ${id} AND at = ${at}::text::timestamptz`;
      if (shop === null) await tx`UPDATE directory.audit_log SET ${after} WHERE ${record}`;
      else await tx`UPDATE oauth.audit_log SET ${after} WHERE shop_id = ${shop} AND ${record}`;
    }
  });
  return found.length;
}

const PARTNER_EVENTS = ["partner_add", "partner_remove"] as const;

/** The fields of records' details in which people's and companies' names stand, by whose they are. */
const NAMING = {
  shop: {
    column: "shop_id",
    fields: ["name", "from", "to", "email"],
    events: [
      "shop_create",
      "shop_rename",
      "member_invite",
      "member_uninvite",
      "member_add",
      "member_remove",
      "member_leave",
      "member_role",
    ],
  },
  client: {
    column: "client_id",
    fields: ["name", "redirect_uris", "publisher", "website", "privacy_policy", "contact", "host", "email"],
    events: ["client_create", "client_update", "webhook_add", ...PARTNER_EVENTS],
  },
  merchant: {
    column: "merchant_id",
    fields: ["email"],
    events: [
      "merchant_create",
      "merchant_update",
      "member_add",
      "member_remove",
      "member_leave",
      "member_role",
      ...PARTNER_EVENTS,
    ],
  },
} as const;

/** The texts by which its own records name a shop, a client or a merchant. Needs the owner's role. */
export async function namesInAudit(sql: Sql, whose: keyof typeof NAMING, id: string): Promise<string[]> {
  const { column, fields, events } = NAMING[whose];
  const [name, wanted] = [sql(column), [...events]];
  const ofShops = await sql<Pick<Found, "details">[]>`
    SELECT details FROM oauth.audit_log WHERE ${name} = ${id} AND event = ANY (${wanted}::text[])`;
  const ofNone =
    whose === "shop"
      ? []
      : await sql<Pick<Found, "details">[]>`
          SELECT details FROM directory.audit_log WHERE ${name} = ${id} AND event = ANY (${wanted}::text[])`;
  const texts = [...ofShops, ...ofNone].flatMap(({ details }) => fields.flatMap((field) => textsIn(details[field])));
  return [...new Set(texts)].filter((text) => !text.startsWith("erased:"));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
