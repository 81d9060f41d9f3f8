import { html } from "@partner-connect/service-runtime/html";
import type { FastifyReply } from "fastify";
import { redirectLocation } from "../authorization-response/redirect-location.ts";
import { cardPage } from "../pages/layout.ts";
import { named } from "../pages/name.ts";
import { sendMerchantPage } from "../pages/send-merchant-page.ts";
import { authorizationPath } from "./authorization-paths.ts";
import type { ConsentContext } from "./consent-context.ts";
import type { OpenAuthorization } from "./sealed-request.ts";

/** Redirects to the partner (spec, Outcomes), with a page for a browser that does not follow the redirect. */
export function returnToPartner(
  { publicBaseUrl: iss, returns }: ConsentContext,
  reply: FastifyReply,
  authorization: OpenAuthorization,
  parameters: Readonly<Record<string, string>>,
): FastifyReply {
  const { redirectUri, state, client } = authorization;
  returns.forget(reply, authorizationPath(authorization));
  const location = redirectLocation(redirectUri, { ...parameters, state, iss });
  reply.header("location", location);
  return sendMerchantPage(
    reply,
    (locale) => {
      const texts = locale.texts.returnToPartner;
      return cardPage(
        locale,
        { title: texts.title },
        html`<p class="lead">${texts.lead(named(client.name))}</p>
<div class="actions"><a class="button primary" href="${location}">${texts.link}</a></div>`,
      );
    },
    { status: 302 },
  );
}
