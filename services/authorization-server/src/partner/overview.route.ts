import { countedRefusals } from "@partner-connect/connections/activity";
import { clientDetails, clientsOfMember } from "@partner-connect/directory";
import { type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { shownWebhooks } from "@partner-connect/webhooks";
import type { FastifyInstance } from "fastify";
import { notFoundPage } from "../pages/error-page.ts";
import { cardPage } from "../pages/layout.ts";
import { named } from "../pages/name.ts";
import type { PageContext } from "../pages/page-context.ts";
import { PARTNER_PATH } from "../pages/paths.ts";
import { redirectTo, sendMerchantPage } from "../pages/send-merchant-page.ts";
import { signInFirst } from "../pages/sign-in-first.ts";
import type { PartnerTexts } from "../texts/en.ts";
import { type Section, sectionPath } from "./partner-paths.ts";
import { partnerSection } from "./partner-section.ts";

export function overviewRoutes(
  app: FastifyInstance,
  context: PageContext & { readonly supportUrl: string | null },
): void {
  const { sql, signIn, supportUrl } = context;
  const { all, send } = partnerSection(app, context, "overview");

  app.get(PARTNER_PATH, async (request, reply) => {
    const merchant = await signIn.merchant(request);
    if (!merchant) return signInFirst(context, reply);
    const own = await clientsOfMember(sql, merchant.id);
    const [first, ...others] = own;
    if (!first) return notFoundPage(reply);
    if (others.length === 0) return redirectTo(reply, sectionPath(first.clientId, "overview"));
    const account = signIn.account(reply, merchant);
    return sendMerchantPage(
      reply,
      (locale) => {
        const texts = locale.texts.partner;
        return cardPage(
          locale,
          { title: texts.choose.title, width: "medium" },
          html`<p class="lead">${texts.choose.lead}</p>
<ul class="rows">${own.map(
            ({ clientId, name }) =>
              html`<li class="row"><a href="${sectionPath(clientId, "overview")}">${named(name)}</a></li>`,
          )}</ul>`,
        );
      },
      { account },
    );
  });

  all.get("", async (_, reply, page) => {
    const { client } = page;
    const attention = await attentionOf(sql, client.clientId);
    return send(reply, page, ({ overview: texts }, { tag }) => ({
      body: html`<section class="card"><h2>${texts.attention}</h2>
${attentionView(attention, client.clientId, texts, tag)}</section>
<section class="card"><h2>${texts.facts}</h2>
<dl class="pairs">
<dt>${texts.name}</dt><dd>${named(client.name)}</dd>
<dt>${texts.clientId}</dt><dd><code>${client.clientId}</code></dd>
<dt>${texts.redirectUris}</dt>${client.redirectUris.map((uri) => html`<dd><code>${uri}</code></dd>`)}
<dt>${texts.scope}</dt><dd><code>${client.scope.join(" ")}</code></dd>
</dl>
<p class="fine">${
        supportUrl === null ? texts.askOperator : html`<a href="${supportUrl}">${texts.askUs}</a>`
      }</p></section>`,
    }));
  });
}

interface Attention {
  readonly refused: number;
  readonly isRotating: boolean;
  readonly isFailing: boolean;
}

/** What somebody of the partner looks for first. */
async function attentionOf(sql: PageContext["sql"], clientId: string): Promise<Attention> {
  const [refusals, { secrets }, webhooks] = await Promise.all([
    countedRefusals(sql, clientId),
    clientDetails(sql, clientId),
    shownWebhooks(sql, clientId),
  ]);
  return {
    refused: refusals.reduce((sum, { count }) => sum + count, 0),
    isRotating: secrets.length > 1,
    isFailing: webhooks.some(({ failingSince }) => failingSince !== null),
  };
}

function attentionView(
  { refused, isRotating, isFailing }: Attention,
  clientId: string,
  texts: PartnerTexts["overview"],
  tag: string,
): HtmlValue {
  const lines: readonly (readonly [Section, string | false])[] = [
    ["refusals", refused > 0 && texts.refusals(new Intl.NumberFormat(tag).format(refused))],
    ["credentials", isRotating && texts.secrets],
    ["webhooks", isFailing && texts.webhooks],
  ];
  const told = lines.filter(([, line]) => line !== false);
  if (told.length === 0) return html`<p class="fine">${texts.nothing}</p>`;
  return html`<ul class="plain">${told.map(([section, line]) => html`<li><a href="${sectionPath(clientId, section)}">${line}</a></li>`)}</ul>`;
}
