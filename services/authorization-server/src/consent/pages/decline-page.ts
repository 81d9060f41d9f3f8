import type { FastifyReply, FastifyRequest } from "fastify";
import { sendMerchantPage } from "../../merchant-page/frame/send-merchant-page.ts";
import type { ConsentContext } from "../consent-context.ts";
import { authorizationPath, formTargets, returnHost } from "../request/authorization-paths.ts";
import type { PendingAuthorization } from "../request/pending-authorization.ts";
import { declineView } from "./decline.view.ts";

/** Declining without signing in. */
export function showDeclinePage(
  context: ConsentContext,
  request: FastifyRequest,
  reply: FastifyReply,
  pending: PendingAuthorization,
): FastifyReply {
  const path = authorizationPath(pending);
  const token = context.formTokens.issue(request, reply, path);
  const view = { app: pending.client.name, host: returnHost(pending), path, token };
  return sendMerchantPage(reply, (locale) => declineView(view, locale), { formTargets: formTargets(pending) });
}
