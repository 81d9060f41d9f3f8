import type { Connection } from "@partner-connect/connections";
import type { Merchant, Shop } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import { notFoundPage } from "../merchant-page/errors/error-page.ts";
import { redirectTo } from "../merchant-page/frame/send-merchant-page.ts";
import { SIGN_IN_PATH } from "../merchant-page/paths.ts";
import { findOwnConnection } from "./connected-apps.query.ts";
import type { ConnectedAppsContext } from "./connected-apps-context.ts";

/** The signed-in merchant, and a connection of one of her shops. */
export interface OwnConnection {
  readonly merchant: Merchant;
  readonly shop: Shop;
  readonly connection: Connection;
}

export type OwnConnectionRequest = FastifyRequest<{ Params: { shopId: string; connectionId: string } }>;

type Step = (
  request: OwnConnectionRequest,
  reply: FastifyReply,
  own: OwnConnection,
) => FastifyReply | Promise<FastifyReply>;

/** Runs `step` with the connection that the URL names. Another merchant's is not found, like one that does not exist. */
export function ownConnectionStep(context: ConnectedAppsContext, step: Step) {
  return async (request: OwnConnectionRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const merchant = await context.signIn.merchant(request);
    if (!merchant) return redirectTo(reply, SIGN_IN_PATH);
    const found = await findOwnConnection(context, merchant.id, request.params);
    return found ? await step(request, reply, { merchant, ...found }) : notFoundPage(reply);
  };
}
