import { factsOf, noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply } from "fastify";
import { sendMerchantPage } from "../frame/send-merchant-page.ts";
import type { FailureKind } from "../texts/texts.ts";
import { errorPageView } from "./error-page.view.ts";

export interface ErrorPage {
  readonly status: number;
  readonly kind: FailureKind;
  /** The merchant can tell it to support, who find the request in the log by it. */
  readonly requestId: string;
  /** The name of the app that sent the merchant here, if it is known. */
  readonly clientName?: string | undefined;
  /** For the partner's developers: what exactly is wrong. It is shown folded, and must not contain a secret. */
  readonly developerDetail?: string | undefined;
}

/** Answers with a page that says in plain words what happened; for every route that a merchant's browser opens. */
export function errorPage(reply: FastifyReply, error: ErrorPage): FastifyReply {
  const { status, kind, requestId, clientName: app = null, developerDetail = null } = error;
  if (!factsOf(reply.request).reason) noteFacts(reply.request, { reason: kind, detail: error.developerDetail });
  const view = { kind, app, developerDetail, requestId };
  return sendMerchantPage(reply, (locale) => errorPageView(view, locale), { status });
}

export function notFoundPage(reply: FastifyReply): FastifyReply {
  return errorPage(reply, { status: 404, kind: "not_found", requestId: reply.request.id });
}
