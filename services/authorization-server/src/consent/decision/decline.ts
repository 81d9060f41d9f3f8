import { unlessApproved } from "@partner-connect/connections";
import { AUTHORIZATION_ERRORS } from "@partner-connect/public-api";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply } from "fastify";
import { beforeDeadline } from "../../merchant-page/page-deadline.ts";
import type { ConsentContext } from "../consent-context.ts";
import { endedPage } from "../request/authorization-step.ts";
import type { OpenAuthorization } from "../request/sealed-request.ts";
import { grantOf } from "./decision-store.ts";
import { returnToPartner } from "./return-to-partner.ts";

/** Declines the authorization and tells the partner so. The browser that began it may decline it without signing in. */
export async function decline(
  context: ConsentContext,
  reply: FastifyReply,
  authorization: OpenAuthorization,
): Promise<FastifyReply> {
  if (!(await counts(context, authorization))) return endedPage(reply);
  await context.decisions.finish(authorization);
  noteFacts(reply.request, { outcome: "declined" });
  const error = { error: AUTHORIZATION_ERRORS.accessDenied, error_description: "the merchant declined" };
  return returnToPartner(context, reply, authorization, error);
}

/**
 * Whether no other decision was committed. A fault can have cut an approval off after its claim: then Postgres is asked, which holds
 * that approval up until the decline counts.
 */
async function counts({ sql, decisions }: ConsentContext, authorization: OpenAuthorization): Promise<boolean> {
  const claim = await decisions.claim(authorization, ["decline"]);
  if (claim.counts || claim.unfinished === null) return claim.counts;
  const { unfinished } = claim;
  const [, merchantId, shopId] = unfinished;
  const { clientId } = authorization;
  const approval = { shopId, clientId, merchantId, grantId: grantOf(authorization, unfinished) };
  const instead = unlessApproved(sql, approval, () => decisions.claim(authorization, ["decline"], unfinished));
  return (await beforeDeadline(instead))?.counts === true;
}
