import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyReply } from "fastify";
import { cardPage } from "../pages/layout.ts";
import type { Locale } from "../pages/locale.ts";
import { named } from "../pages/name.ts";
import { sendMerchantPage } from "../pages/send-merchant-page.ts";
import { authorizationPath, returnHost } from "./authorization-paths.ts";
import type { ConsentContext } from "./consent-context.ts";
import type { OpenAuthorization } from "./sealed-request.ts";

export function showDeclinePage(
  context: ConsentContext,
  reply: FastifyReply,
  authorization: OpenAuthorization,
): FastifyReply {
  const token = context.formTokens.issue(reply, authorizationPath(authorization));
  return sendMerchantPage(reply, (locale) => declineView(authorization, token, locale), {
    leadsToPartner: true,
  });
}

function declineView(authorization: OpenAuthorization, token: string, locale: Locale): Html {
  const texts = locale.texts.decline;
  const path = authorizationPath(authorization);
  return cardPage(
    locale,
    { title: texts.title },
    html`<p class="lead">${texts.lead(named(authorization.client.name), html`<strong>${returnHost(authorization)}</strong>`)}</p>
<form method="post" action="${path}">
<input type="hidden" name="token" value="${token}">
<div class="actions">
<button class="primary" name="decision" value="decline">${locale.texts.consent.decline}</button>
<a class="button" href="${path}">${texts.back}</a>
</div>
</form>`,
  );
}
