import type { FastifyReply } from "fastify";
import { failureView } from "./error-page.view.ts";
import { sendPage } from "./send-merchant-page.ts";
import { type Locale, localeOf } from "./texts/locale.ts";
import type { FailureKind } from "./texts/texts.ts";

export interface ErrorPage {
  readonly status: number;
  readonly kind: FailureKind;
  readonly requestId: string;
  /** The app that sent the merchant here, where it is known. */
  readonly clientName?: string | undefined;
  /** What exactly is wrong, for the partner's developers; shown folded. No secret may stand in it. */
  readonly developerDetail?: string | undefined;
  /** Default: by the request's `Accept-Language`. */
  readonly locale?: Locale | undefined;
}

/** Answers with a page that says what happened, in plain words. For any route that merchants' browsers open. */
export function errorPage(reply: FastifyReply, error: ErrorPage): FastifyReply {
  const { status, kind, requestId, clientName = null, developerDetail = null } = error;
  const locale = error.locale ?? localeOf(reply.request.headers["accept-language"]);
  return sendPage(reply, locale, failureView({ kind, app: clientName, developerDetail, requestId }, locale), {
    status,
  });
}

export function notFoundPage(reply: FastifyReply): FastifyReply {
  return errorPage(reply, { status: 404, kind: "not_found", requestId: reply.request.id });
}
