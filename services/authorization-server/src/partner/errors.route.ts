import { countedRefusals, refusalsOfClient, type StoredRefusal } from "@partner-connect/connections/activity";
import { type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance } from "fastify";
import { formField } from "../pages/forms.ts";
import { notice } from "../pages/frame.ts";
import { DOCS_PATH } from "../pages/paths.ts";
import { diagnose } from "./diagnose.ts";
import { sectionPath, sendPartnerPage } from "./partner-page.ts";

/** Examples of each reason. */
const EXAMPLES = 3;

/** A client's failed calls of 7 days with their causes: all of them by reason, or one request by its id. */
export function errorsRoute(app: FastifyInstance): void {
  const { sql } = app;

  app.get("/errors", async (request, reply) => {
    const { clientId } = request.partner;
    const requestId = formField(request.query, "request_id").trim().toLowerCase() || undefined;
    const [kept, counted] = await Promise.all([
      refusalsOfClient(sql, clientId, { requestId }, EXAMPLES),
      requestId ? [] : countedRefusals(sql, clientId),
    ]);
    const path = sectionPath(request.partner, "errors");
    const groups = [...Map.groupBy(kept, ({ what, reason }) => `${what} ${reason}`)];
    return sendPartnerPage(reply, "errors", ({ errors: texts, overview }, locale) => {
      const { consent, frame } = locale.texts;
      const { format } = new Intl.NumberFormat(locale.tag);
      const group = ([key, [first, ...rest]]: readonly [string, readonly StoredRefusal[]]): HtmlValue => {
        if (!first) return null;
        const count = counted.find(({ what, reason }) => `${what} ${reason}` === key)?.count;
        return html`<section class="card">
<h2>${texts.causes[diagnose(first)]}</h2>
<p class="fine"><code>${first.status} ${first.error ?? first.reason}</code>${count !== undefined && html` · ${overview.errors(count, format(count))}`}</p>
<ul class="rows">${[first, ...rest].map((each) => errorView(each, path))}</ul>
</section>`;
      };
      return {
        body: html`<p class="lead">${texts.lead} <a href="${DOCS_PATH}/errors" hreflang="en">${frame.docs}</a></p>
<form method="get" action="${path}" class="filters" role="search">
<p><label for="request_id">${texts.find}</label>
<input id="request_id" name="request_id" type="search" value="${requestId}" maxlength="100" autocomplete="off" spellcheck="false"></p>
<button>${consent.find}</button>${requestId && html`<a class="button" href="${path}">${consent.showAll}</a>`}
</form>
${groups.length === 0 && (requestId ? notice("problem", texts.notFound) : html`<p class="lead">${texts.none}</p>`)}
${groups.map(group)}`,
      };
    });
  });
}

function errorView({ at, call, param, requestId, connectionId }: StoredRefusal, path: string) {
  const time = at.toISOString();
  return html`<li class="row"><div><p><code>${call}</code>${param !== null && html` · <code>${param}</code>`}</p>
<p class="fine"><time datetime="${time}">${time.replace("T", " ").replace("Z", " UTC")}</time> · <a href="${path}?request_id=${requestId}"><code>${requestId}</code></a>${connectionId !== null && html` · <code>${connectionId}</code>`}</p></div></li>
`;
}
