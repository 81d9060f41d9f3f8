import { listConnections } from "@partner-connect/connections";
import { PLANS } from "@partner-connect/contract";
import { field, TIMESTAMP, text, textOrNull } from "@partner-connect/contract/openapi";
import type { Sql } from "@partner-connect/database";
import {
  endMembership,
  membersOfShop,
  putMember,
  putMerchant,
  putShop,
  requireProductShop,
} from "@partner-connect/directory";
import { requestMerchantErasure, requestShopErasure } from "@partner-connect/erasure";
import { countRecords } from "@partner-connect/survey-data";
import Type, { type Static } from "typebox";
import type { Operation } from "./openapi.ts";

const MERCHANT = {
  email: field(
    text("Where the merchant signs in and gets mails.", "anna@shop.example"),
    "an email address",
  ),
  name: field(text("The merchant's name, as people know it.", "Anna"), "a text"),
};
const status = field(
  Type.Enum(["active", "disabled"], {
    description:
      "A disabled merchant can't sign in. Default: `active` for a new merchant, otherwise unchanged.",
    examples: ["active"],
  }),
  "active or disabled",
);
const SHOP = {
  name: field(text("The shop's name, as merchants and partners know it.", "Hats"), "a text"),
  domain: field(textOrNull("The shop's domain.", "hats.example"), "a domain or null"),
  plan: field(
    Type.Enum(PLANS, { description: "Sets which scopes partners get.", examples: ["standard"] }),
    PLANS.join(" or "),
  ),
};
const id = text("Your id. A shop's is `shop.id` of the partners' API.", "42");

const NewMerchant = Type.Object({ ...MERCHANT, status: Type.Optional(status) });
const NewShop = Type.Object(SHOP);
const Merchant = Type.Object(
  { id, ...MERCHANT, status },
  { $id: "Merchant", description: "A person who connects apps to shops." },
);
const Shop = Type.Object(
  { id, ...SHOP },
  { $id: "Shop", description: "A shop that merchants connect apps to." },
);
const countField = (what: string) => Type.Integer({ description: what, examples: [7] });
const ShopNow = Type.Object(
  {
    id,
    ...SHOP,
    counts: Type.Object(
      {
        responses: countField("Its responses."),
        questions: countField("Its questions."),
        members: countField("Its members."),
        connections: countField("Its connections with the status `connected`."),
      },
      { description: "Exact." },
    ),
    updated_at: textOrNull(
      "`updated_at` of the newest response.",
      "2026-11-21T01:02:03.123Z",
      TIMESTAMP,
    ),
  },
  { $id: "ShopNow", description: "A shop, with counts of its stored data." },
);

const ERASED = "The data is erased within seconds to minutes; before, a `PUT` of the id gets 409.";

/** Merchants, shops and members. */
export const directoryOperations = (sql: Sql, refreshTokenTtl: number): readonly Operation[] => [
  {
    method: "PUT",
    url: "/internal/merchants/:id",
    errorStatuses: [409],
    operationId: "putMerchant",
    summary: "Creates a merchant, or changes it.",
    description: "The merchant has no password until it is reset. No mail is sent.",
    body: NewMerchant,
    record: Merchant,
    async run({ id }, actor, body: Static<typeof NewMerchant>) {
      const { record, isNew } = await putMerchant(sql, { ...body, id }, actor);
      const { email, name, status } = record;
      return { record: { id, email, name, status }, isNew };
    },
  },
  {
    method: "DELETE",
    url: "/internal/merchants/:id",
    errorStatuses: [409],
    operationId: "deleteMerchant",
    summary: "Erases a merchant.",
    description: `When the response arrives, the merchant's sessions and memberships have ended. ${ERASED}`,
    run: ({ id }, actor) => requestMerchantErasure(sql, id, actor),
  },
  {
    method: "GET",
    url: "/internal/shops/:id",
    errorStatuses: [404, 409],
    operationId: "getShop",
    summary: "Reads a shop, with counts.",
    description: "Compare it with your own tables.",
    record: ShopNow,
    async run({ id }) {
      const shop = await requireProductShop(sql, id);
      const [{ responses, questions, updatedAt }, members, connected] = await Promise.all([
        countRecords(sql, id),
        membersOfShop(sql, id),
        listConnections(sql, { shopId: id, status: "connected" }, refreshTokenTtl),
      ]);
      const counts = {
        responses,
        questions,
        members: members.length,
        connections: connected.length,
      };
      return { record: { ...shop, counts, updated_at: updatedAt }, isNew: false };
    },
  },
  {
    method: "PUT",
    url: "/internal/shops/:id",
    errorStatuses: [409],
    operationId: "putShop",
    summary: "Creates a shop, or changes it.",
    description:
      "A new shop has no members. A changed plan takes effect at each partner's next request and refresh.",
    body: NewShop,
    record: Shop,
    run: ({ id }, actor, body: Static<typeof NewShop>) => putShop(sql, { ...body, id }, actor),
  },
  {
    method: "DELETE",
    url: "/internal/shops/:id",
    errorStatuses: [409],
    operationId: "deleteShop",
    summary: "Erases a shop.",
    description: `When the response arrives, all access to the shop has ended. ${ERASED}`,
    run: ({ id }, actor) => requestShopErasure(sql, id, actor),
  },
  {
    method: "PUT",
    url: "/internal/shops/:id/members/:merchant_id",
    errorStatuses: [404, 409],
    operationId: "putMember",
    summary: "Makes a merchant a member of a shop.",
    description:
      "Members can connect and disconnect apps for the shop. The merchant and the shop must exist. No mail is sent.",
    run: ({ id: shopId, merchant_id: merchantId }, actor) =>
      putMember(sql, { shopId, merchantId }, actor),
  },
  {
    method: "DELETE",
    url: "/internal/shops/:id/members/:merchant_id",
    errorStatuses: [409],
    operationId: "deleteMember",
    summary: "Removes a merchant from a shop.",
    description:
      "Takes effect at the merchant's next page. Connections that they approved stay. No mail is sent.",
    run: ({ id: shopId, merchant_id: merchantId }, actor) =>
      endMembership(sql, { shopId, merchantId }, actor),
  },
];
