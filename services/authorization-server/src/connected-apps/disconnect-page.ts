import type { FastifyReply, FastifyRequest } from "fastify";
import { sendMerchantPage } from "../merchant-page/frame/send-merchant-page.ts";
import type { ConnectedAppsContext } from "./connected-apps-context.ts";
import { disconnectView } from "./disconnect.view.ts";
import { disconnectPath } from "./disconnect-path.ts";
import type { OwnConnection } from "./own-connection.ts";

/** Asks for confirmation. If the posted form was out of date, it asks once more, with 403. */
export function showDisconnectPage(
  context: ConnectedAppsContext,
  request: FastifyRequest,
  reply: FastifyReply,
  own: OwnConnection,
  problem?: "out_of_date",
): FastifyReply {
  const action = disconnectPath(own.shop.id, own.connection.id);
  const view = {
    app: own.connection.clientName,
    shop: own.shop.name,
    isUnfinished: own.connection.connectedAt === null,
    action,
    token: context.formTokens.issue(request, reply, action),
    isOutOfDate: problem === "out_of_date",
    account: context.signIn.account(request, reply, own.merchant),
  };
  return sendMerchantPage(reply, (locale) => disconnectView(view, locale), { status: problem ? 403 : 200 });
}
