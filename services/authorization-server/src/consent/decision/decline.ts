import { unlessApproved } from "@partner-connect/connections";
import { AUTHORIZATION_ERRORS } from "@partner-connect/public-api";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { beforeDeadline } from "../../merchant-page/page-deadline.ts";
import type { ConsentContext } from "../consent-context.ts";
import { endedPage } from "../request/authorization-step.ts";
import type { PendingAuthorization } from "../request/pending-authorization.ts";
import { grantOf } from "./approve-connection.ts";
import { returnToPartner } from "./return-to-partner.ts";

/** Declines the authorization and tells the partner so. The browser that began it may decline it without signing in. */
export async function decline(
  context: ConsentContext,
  request: FastifyRequest,
  reply: FastifyReply,
  pending: PendingAuthorization,
): Promise<FastifyReply> {
  if (!(await counts(context, pending))) return endedPage(reply);
  await context.decisions.finish(pending);
  noteFacts(request, { outcome: "declined" });
  const error = { error: AUTHORIZATION_ERRORS.accessDenied, error_description: "the merchant declined" };
  return returnToPartner(context, reply, pending, error);
}

/**
 * Whether no other decision was committed. A fault can have cut an approval off after its claim: then Postgres is asked, which holds
 * that approval up until the decline counts.
 */
async function counts({ sql, decisions }: ConsentContext, pending: PendingAuthorization): Promise<boolean> {
  const claim = await decisions.claimDecline(pending);
  if (claim.counts || claim.unfinished === null) return claim.counts;
  const { unfinished } = claim;
  const [merchantId, shopId] = unfinished;
  const approval = { shopId, clientId: pending.client.clientId, merchantId, grantId: grantOf(pending, unfinished) };
  const instead = unlessApproved(sql, approval, () => decisions.claimDecline(pending, unfinished));
  return (await beforeDeadline(instead))?.counts === true;
}
