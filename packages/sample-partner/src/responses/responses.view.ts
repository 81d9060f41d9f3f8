import type { ResponseRecord } from "@partner-connect/partner-sdk";
import { type Html, type HtmlValue, html } from "../page/html.ts";
import { moment } from "../page/moment.ts";
import { positionQuery, type ResponsesPage } from "./read-responses.ts";

// On a narrow window each row is a block. Browsers then forget that it is a table, so the roles say it.
export function responsesView({ responses, newer, older }: ResponsesPage): Html {
  return html`<section class="card" aria-labelledby="responses">
<h2 id="responses">Responses</h2>
${
  responses.length === 0
    ? html`<p>There are none yet.</p>`
    : html`<table class="responses" role="table" aria-labelledby="responses">
<thead role="rowgroup"><tr role="row">${["When", "Question", "Response", "Came by", "Order"].map((title) => html`<th role="columnheader" scope="col">${title}</th>`)}</tr></thead>
<tbody role="rowgroup">${responses.map(row)}</tbody>
</table>`
}
${
  (newer || older) &&
  html`<nav class="actions" aria-label="Pages of responses">
${newer && html`<a class="button" href="${positionQuery(newer)}#responses">Newer</a>`}
${older && html`<a class="button" href="${positionQuery(older)}#responses">Older</a>`}
</nav>`
}
</section>`;
}

function row(response: ResponseRecord): Html {
  return html`<tr role="row">
${cell("When", moment(response.inserted_at))}
${cell("Question", response.question)}
${cell("Response", words(response))}
${cell("Came by", [response.utm_source, response.utm_campaign].filter(Boolean).join(" · ") || "–")}
${cell("Order", order(response))}
</tr>`;
}

function cell(title: string, content: HtmlValue): Html {
  return html`<td role="cell" data-title="${title}"><div>${content}</div></td>`;
}

/** What was chosen, what was written, and what it was before somebody sorted it anew. */
function words({ response, other_response: written, original_response: before }: ResponseRecord): Html {
  return html`${response !== null && html`<strong>${response}</strong>`}${written !== null && html` <q>${written}</q>`}${
    before !== null && html` <span class="fine">was ${before}</span>`
  }`;
}

function order({ order_number: number, order_total: total, order_currency_code: currency }: ResponseRecord): string {
  return [number && `#${number}`, total && `${total} ${currency ?? ""}`.trim()].filter(Boolean).join(" · ") || "–";
}
