import {
  countedRefusals,
  refusalsOfClient,
  type StoredRefusal,
} from "@partner-connect/connections/activity";
import { type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance } from "fastify";
import { formField } from "../pages/forms.ts";
import { notice } from "../pages/frame.ts";
import { DOCS_PATH } from "../pages/paths.ts";
import { CAUSES, diagnose } from "./diagnose.ts";
import { formatNumber, sectionPath, sendPartnerPage } from "./partner-page.ts";

/** Examples of each reason. */
const EXAMPLES = 3;

/**
 * A client's failed calls of 7 days with their causes: all of them by reason, or one request by its
 * id.
 */
export function errorsRoute(app: FastifyInstance): void {
  const { pagesSql } = app;

  app.get("/errors", async (request, reply) => {
    const { clientId } = request.partner;
    const requestId = formField(request.query, "request_id").trim().toLowerCase() || undefined;
    const [kept, counted] = await Promise.all([
      refusalsOfClient(pagesSql, clientId, { requestId }, EXAMPLES),
      requestId ? [] : countedRefusals(pagesSql, clientId),
    ]);
    const path = sectionPath(request.partner, "errors");
    const groups = [...Map.groupBy(kept, ({ what, reason }) => `${what} ${reason}`)];
    const group = ([key, [first, ...rest]]: readonly [
      string,
      readonly StoredRefusal[],
    ]): HtmlValue => {
      if (!first) return null;
      const count = counted.find(({ what, reason }) => `${what} ${reason}` === key)?.count;
      return html`<section class="card">
<h2>${CAUSES[diagnose(first)]}</h2>
<p class="fine"><code>${first.status} ${first.error ?? first.reason}</code>${count !== undefined && html` · ${errorCount(count)}`}</p>
<ul class="rows">${[first, ...rest].map((each) => errorView(each, path))}</ul>
</section>`;
    };
    const none = requestId
      ? notice("problem", "Not found. API 401s and token endpoint 429s aren’t listed.")
      : html`<p class="lead">No errors in the last 7 days.</p>`;
    return sendPartnerPage(reply, "errors", {
      body: html`<p class="lead">Failed calls of the last 7 days. New ones may take up to 10 seconds. <a href="${DOCS_PATH}/errors">Docs</a></p>
<form method="get" action="${path}" class="filters" role="search">
<p><label for="request_id">Request ID (x-request-id)</label>
<input id="request_id" name="request_id" type="search" value="${requestId}" maxlength="100" autocomplete="off" spellcheck="false"></p>
<button>Search</button>${requestId && html`<a class="button" href="${path}">Show all</a>`}
</form>
${groups.length === 0 && none}
${groups.map(group)}`,
    });
  });
}

export function errorCount(count: number): string {
  return count === 1
    ? "1 error in the last 7 days"
    : `${formatNumber(count)} errors in the last 7 days`;
}

function errorView({ at, call, param, requestId, connectionId }: StoredRefusal, path: string) {
  const time = at.toISOString();
  return html`<li class="row"><div><p><code>${call}</code>${param !== null && html` · <code>${param}</code>`}</p>
<p class="fine"><time datetime="${time}">${time.replace("T", " ").replace("Z", " UTC")}</time> · <a href="${path}?request_id=${requestId}"><code>${requestId}</code></a>${connectionId !== null && html` · <code>${connectionId}</code>`}</p></div></li>
`;
}
