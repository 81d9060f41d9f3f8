import { countedRefusals } from "@partner-connect/connections/activity";
import { shownWebhooks } from "@partner-connect/connections/webhooks";
import type { Sql } from "@partner-connect/database";
import { type ClientSummary, clientDetails } from "@partner-connect/directory";
import { type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance } from "fastify";
import { named } from "../pages/names.ts";
import type { PartnerTexts } from "../texts/en.ts";
import { type Section, sectionPath, sendPartnerPage } from "./partner-page.ts";

export function overviewRoutes(app: FastifyInstance): void {
  const { supportUrl } = app.config;

  app.get("", async ({ partner: client }, reply) => {
    const attention = await attentionOf(app.sql, client.clientId);
    return sendPartnerPage(reply, "overview", ({ overview: texts }, { tag }) => ({
      body: html`<section class="card"><h2>${texts.attention}</h2>
${attentionView(attention, client, texts, tag)}</section>
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
async function attentionOf(sql: Sql, clientId: string): Promise<Attention> {
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
  client: ClientSummary,
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
  return html`<ul class="plain">${told.map(([section, line]) => html`<li><a href="${sectionPath(client, section)}">${line}</a></li>`)}</ul>`;
}
