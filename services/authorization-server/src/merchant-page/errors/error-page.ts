import { factsOf, noteFacts } from "@partner-connect/service-runtime";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyReply } from "fastify";
import { layout } from "../frame/layout.ts";
import { named } from "../frame/name.ts";
import { sendMerchantPage } from "../frame/send-merchant-page.ts";
import type { FailureKind } from "../texts/en.ts";
import type { Locale } from "../texts/locale.ts";

export interface ErrorPage {
  readonly status: number;
  readonly kind: FailureKind;
  readonly clientName?: string | undefined;
  /** For the partner's developers: what exactly is wrong. It is shown folded, in English, and must not contain a secret. */
  readonly developerDetail?: string | undefined;
}

/** Answers with a page that says in plain words what happened; for every route that a merchant's browser opens. */
export function errorPage(reply: FastifyReply, error: ErrorPage): FastifyReply {
  const { request } = reply;
  const { status, kind, developerDetail: detail } = error;
  if (!factsOf(request).reason) noteFacts(request, { reason: kind, detail });
  return sendMerchantPage(reply, (locale) => errorPageView(error, request.id, locale), { status });
}

export function notFoundPage(reply: FastifyReply): FastifyReply {
  return errorPage(reply, { status: 404, kind: "not_found" });
}

/** The merchant can tell the request's id to support, who find the request in the log by it. */
function errorPageView({ kind, clientName, developerDetail }: ErrorPage, requestId: string, locale: Locale): Html {
  const texts = locale.texts.failurePage;
  const { title, lead } = locale.texts.failure[kind];
  const app = clientName === undefined ? html`${texts.unnamedApp}` : named(clientName);
  return layout(
    locale,
    { title },
    html`<section class="card failure">
<h1>${title}</h1>
<p class="lead">${typeof lead === "string" ? lead : lead(app)}</p>
${developerDetail !== undefined && html`<details><summary>${texts.forDevelopers}</summary><p lang="en"><code>${developerDetail}</code></p></details>`}
<p class="fine">${texts.requestId} <code>${requestId}</code></p>
</section>`,
  );
}
