import { revoke } from "@partner-connect/connections";
import type { Sql } from "@partner-connect/database";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyRequest } from "fastify";
import { merchantActor } from "../merchant-page/merchant-actor.ts";
import { beforeDeadline } from "../merchant-page/page-deadline.ts";
import type { OwnConnection } from "./own-connection.ts";

/** Revokes the connection in the merchant's name. A second time changes nothing. */
export async function disconnect(sql: Sql, request: FastifyRequest, own: OwnConnection): Promise<void> {
  const { merchant, shop, connection } = own;
  const actor = merchantActor(request, merchant);
  const reason = "disconnected by the merchant";
  const isRevoked = await beforeDeadline(revoke(sql, { shopId: shop.id, id: connection.id }, actor, { reason }));
  if (isRevoked) noteFacts(request, { shopId: shop.id, connectionId: connection.id, outcome: "revoked" });
  request.log.info(
    { merchant_id: merchant.id, connection_id: connection.id, shop_id: shop.id },
    "connection disconnected",
  );
}
