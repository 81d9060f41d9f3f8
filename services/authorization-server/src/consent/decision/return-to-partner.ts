import { html } from "@partner-connect/service-runtime/html";
import type { FastifyReply } from "fastify";
import { redirectLocation } from "../../authorization-response/redirect-location.ts";
import { cardPage } from "../../merchant-page/frame/layout.ts";
import { named } from "../../merchant-page/frame/name.ts";
import { sendMerchantPage } from "../../merchant-page/frame/send-merchant-page.ts";
import type { ConsentContext } from "../consent-context.ts";
import { authorizationPath } from "../request/authorization-paths.ts";
import type { OpenAuthorization } from "../request/sealed-request.ts";

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
