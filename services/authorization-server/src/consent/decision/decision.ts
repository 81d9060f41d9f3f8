import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { formField } from "../../merchant-page/forms/form-field.ts";
import { redirectTo } from "../../merchant-page/frame/send-merchant-page.ts";
import type { ConsentContext } from "../consent-context.ts";
import { showConsentPage } from "../pages/consent-page.ts";
import { authorizationPath } from "../request/authorization-paths.ts";
import { endedPage } from "../request/authorization-step.ts";
import type { PendingAuthorization } from "../request/pending-authorization.ts";
import { judgeApproval } from "./approval.ts";
import { decline } from "./decline.ts";
import { returnToPartner } from "./return-to-partner.ts";

/**
 * The merchant's decision, judged by the state of things now, whatever the page showed. The first valid decision counts;
 * any other changes nothing.
 */
export async function decide(
  context: ConsentContext,
  request: FastifyRequest,
  reply: FastifyReply,
  pending: PendingAuthorization,
): Promise<FastifyReply> {
  const merchant = await context.signIn.merchant(request);
  const path = authorizationPath(pending);
  if (formField(request.body, "decision") === "decline" && context.formTokens.isValid(request, path)) {
    return await decline(context, request, reply, pending);
  }
  if (!merchant) return redirectTo(reply, path);
  const outcome = await judgeApproval(context, request, pending, merchant);
  if (outcome.is === "approved") return returnToPartner(context, reply, pending, { code: outcome.code });
  if (outcome.is === "refused") noteFacts(request, { outcome: "refused", reason: outcome.problem.reason });
  if (outcome.is === "ended" || (await context.decisions.isFinished(pending))) return endedPage(reply);
  // What refused the approval may have ended the session too.
  const reader = await context.signIn.merchant(request);
  if (!reader) return redirectTo(reply, path);
  return await showConsentPage(context, request, reply, pending, {
    merchant: reader,
    search: "",
    chosen: "",
    problem: outcome.problem,
  });
}
