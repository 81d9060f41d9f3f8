import { endWholeShop } from "@partner-connect/connections";
import { PLANS } from "@partner-connect/contract";
import {
  answer,
  COUNTED,
  field,
  IGNORED_PARAMETERS,
  jsonAnswer,
  text,
  textOrNull,
} from "@partner-connect/contract/openapi";
import type { Sql } from "@partner-connect/database";
import {
  endMember,
  type ProductMerchant,
  putMember,
  putMerchant,
  putShop,
  requestMerchantErasure,
} from "@partner-connect/directory";
import type { FastifyInstance, FastifyRequest } from "fastify";
import Type, { type Static, type TSchema } from "typebox";
import { BODY_ANSWERS, ERROR_ANSWERS, errorAnswer, idParameter, notFoundAnswer } from "./openapi.ts";

const STATUS = ["active", "disabled"] as const;

const MERCHANT = {
  email: field(text("Where the merchant signs in and gets mails.", "anna@shop.example"), "an email address"),
  name: field(text("The merchant's name, as people know it.", "Anna"), "a text"),
};
const SHOP = {
  name: field(text("The shop's name, as merchants and partners know it.", "Hats"), "a text"),
  domain: field(textOrNull("The shop's domain.", "hats.example"), "a domain or null"),
  plan: field(
    Type.Enum(PLANS, { description: "Which scopes partners can get.", examples: ["standard"] }),
    PLANS.join(" or "),
  ),
};
const status = (description: string) =>
  field(Type.Enum(STATUS, { description, examples: ["active"] }), STATUS.join(" or "));

const NewMerchant = Type.Object({
  ...MERCHANT,
  status: Type.Optional(
    status("A disabled merchant can't sign in. Default: a new merchant is active, another one stays as it is."),
  ),
});
const NewShop = Type.Object(SHOP);
const Merchant = Type.Object(
  { id: text("Your id of the merchant.", "7"), ...MERCHANT, status: status("A disabled merchant can't sign in.") },
  { $id: "Merchant", description: "Somebody who can connect apps to shops." },
);
const Shop = Type.Object(
  { id: text("Your id of the shop, and `shop.id` of the partners' API.", "42"), ...SHOP },
  { $id: "Shop", description: "A shop that merchants connect apps to." },
);

type OfId = { readonly id: string };

const MERCHANT_ID = idParameter("Your id of the merchant", "7");
const SHOP_ID = idParameter("Your id of the shop", "42");

const HEADERS = [...COUNTED, IGNORED_PARAMETERS] as const;
const conflictAnswer = errorAnswer(
  "Another merchant has the email, or the record is being erased. Nothing was changed.",
);
const NO_CONTENT = answer("Done, also if it was so before. No body.", COUNTED);

const putAnswers = (record: TSchema) => ({
  200: jsonAnswer(record, "It was there; what differed was changed.", HEADERS, {}),
  201: jsonAnswer(record, "It was created.", HEADERS, {}),
  ...ERROR_ANSWERS,
  ...BODY_ANSWERS,
  409: conflictAnswer,
});

const putMerchantSchema = {
  operationId: "putMerchant",
  tags: ["Directory"],
  summary: "Creates a merchant, or changes it.",
  description: "The merchant has no password until it is reset. No mail is sent.",
  params: Type.Object({ id: MERCHANT_ID }),
  body: NewMerchant,
  response: putAnswers(Merchant),
};

const putShopSchema = {
  operationId: "putShop",
  tags: ["Directory"],
  summary: "Creates a shop, or changes it.",
  description: "A new shop has no members. A plan takes effect at the next request and refresh of its partners.",
  params: Type.Object({ id: SHOP_ID }),
  body: NewShop,
  response: putAnswers(Shop),
};

const deleteMerchantSchema = {
  operationId: "deleteMerchant",
  tags: ["Directory"],
  summary: "Erases a merchant.",
  description:
    "The merchant's sessions and memberships have ended with the answer. The account is erased within seconds to minutes; until then a `PUT` of the id is 409.",
  params: Type.Object({ id: MERCHANT_ID }),
  response: { 204: NO_CONTENT, ...ERROR_ANSWERS },
};

const deleteShopSchema = {
  ...deleteMerchantSchema,
  operationId: "deleteShop",
  summary: "Erases a shop.",
  description:
    "All access to the shop has ended with the answer. Its data is erased within seconds to minutes; until then a `PUT` of the id is 409.",
  params: Type.Object({ id: SHOP_ID }),
};

const memberSchema = {
  tags: ["Directory"],
  params: Type.Object({ id: SHOP_ID, merchant_id: MERCHANT_ID }),
  response: { 204: NO_CONTENT, ...ERROR_ANSWERS, 404: notFoundAnswer },
};

const putMemberSchema = {
  ...memberSchema,
  operationId: "putMember",
  summary: "Makes a merchant a member of a shop.",
  description: "Members connect and disconnect apps for the shop. Both must exist. No mail is sent.",
  response: { ...memberSchema.response, 409: conflictAnswer },
};

const deleteMemberSchema = {
  ...memberSchema,
  operationId: "deleteMember",
  summary: "Removes a merchant from a shop.",
  description:
    "Takes effect at the merchant's next page. Connections that the merchant approved stay. No mail is sent.",
};

/** Merchants, shops and members. */
export function directoryRoutes(app: FastifyInstance, sql: Sql): void {
  app.put("/internal/merchants/:id", { schema: putMerchantSchema }, async (request, reply) => {
    const { id } = request.params as OfId;
    const given = request.body as Static<typeof NewMerchant>;
    const { record, isNew } = await putMerchant(sql, { ...given, id } as ProductMerchant, request.actor);
    const { email, name, status } = record;
    return reply.code(isNew ? 201 : 200).send({ id, email, name, status });
  });

  app.delete("/internal/merchants/:id", { schema: deleteMerchantSchema }, async (request, reply) => {
    await requestMerchantErasure(sql, (request.params as OfId).id, request.actor);
    return reply.code(204).send();
  });

  app.put("/internal/shops/:id", { schema: putShopSchema }, async (request, reply) => {
    const { id } = request.params as OfId;
    const { record, isNew } = await putShop(sql, { ...(request.body as Static<typeof NewShop>), id }, request.actor);
    return reply.code(isNew ? 201 : 200).send(record);
  });

  app.delete("/internal/shops/:id", { schema: deleteShopSchema }, async (request, reply) => {
    await endWholeShop(sql, (request.params as OfId).id, request.actor);
    return reply.code(204).send();
  });

  const member = "/internal/shops/:id/members/:merchant_id";
  const memberOf = ({ params }: FastifyRequest) => {
    const { id: shopId, merchant_id: merchantId } = params as Static<typeof memberSchema.params>;
    return { shopId, merchantId };
  };
  app.put(member, { schema: putMemberSchema }, async (request, reply) => {
    await putMember(sql, memberOf(request), request.actor);
    return reply.code(204).send();
  });
  app.delete(member, { schema: deleteMemberSchema }, async (request, reply) => {
    await endMember(sql, memberOf(request), request.actor);
    return reply.code(204).send();
  });
}
