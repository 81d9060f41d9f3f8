import {
  type CountedRefusals,
  countedRefusals,
  refusalsOfClient,
  type StoredRefusal,
} from "@partner-connect/connections/activity";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance } from "fastify";
import { formField } from "../pages/forms.ts";
import type { Locale } from "../pages/frame.ts";
import { notice } from "../pages/frame.ts";
import { DOCS_PATH } from "../pages/paths.ts";
import { diagnose } from "./diagnose.ts";
import { contact, sectionPath, sendPartnerPage } from "./partner-page.ts";

/** Examples of each reason, where all reasons are shown; and of the one that is asked for. */
const FEW = 3;
const MANY = 30;

/** Reasons that are shown with examples. */
const SHOWN = 5;

/** A client's failed calls of 7 days with their causes: all of them by reason, one reason, or one request by its id. */
export function errorsRoute(app: FastifyInstance): void {
  const { sql } = app;

  app.get("/errors", async (request, reply) => {
    const { clientId } = request.partner;
    const asked = (name: string) => formField(request.query, name).trim() || undefined;
    const requestId = asked("request_id")?.toLowerCase();
    const filter = requestId ? { requestId } : { what: asked("what"), reason: asked("reason") };
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    const [kept, counted] = await Promise.all([
      refusalsOfClient(sql, clientId, filter, isFiltered ? MANY : FEW),
      requestId ? [] : countedRefusals(sql, clientId),
    ]);
    const path = sectionPath(request.partner, "errors");
    const view = { path, requestId, isFiltered, kept, counted, config: app.config };
    return sendPartnerPage(reply, "errors", (_, locale) => ({ body: errorsView(view, locale) }));
  });
}

interface ErrorsView {
  readonly path: string;
  readonly requestId: string | undefined;
  readonly isFiltered: boolean;
  readonly kept: readonly StoredRefusal[];
  readonly counted: readonly CountedRefusals[];
  readonly config: FastifyInstance["config"];
}

type Reason = Pick<CountedRefusals, "what" | "reason">;

function errorsView({ path, requestId, isFiltered, kept, counted, config }: ErrorsView, locale: Locale): Html {
  const { consent, partner } = locale.texts;
  const { errors: texts, overview, connections } = partner;
  const { format } = new Intl.NumberFormat(locale.tag);
  const keyOf = ({ what, reason }: Reason) => `${what} ${reason}`;
  const pathOf = ({ what, reason }: Reason) => `${path}?${new URLSearchParams({ what, reason })}`;
  const counts = new Map(counted.map((each) => [keyOf(each), each.count]));
  const groups = [...Map.groupBy(kept, keyOf)];
  const shown = groups.slice(0, SHOWN);
  const names = new Set(shown.map(([key]) => key));
  const others = isFiltered ? [] : counted.filter((each) => !names.has(keyOf(each)));

  const group = (key: string, [first, ...rest]: readonly StoredRefusal[]): HtmlValue => {
    if (!first) return null;
    const count = counts.get(key);
    const [cause, fix] = diagnose(first);
    return html`<section class="card">
<h2>${texts.causes[cause]}</h2>
<p>${fix === "contact" ? contact(texts.fixes.contact, config) : texts.fixes[fix]}</p>
<p class="fine"><code>${first.status} ${first.error ?? first.reason}</code>${count !== undefined && html` · ${overview.errors(count, format(count))}`}</p>
<ul class="rows">${[first, ...rest].map((each) => errorView(each, path, texts.param))}</ul>
${!isFiltered && first.kept > rest.length + 1 && html`<p><a href="${pathOf(first)}">${texts.more}</a></p>`}
</section>`;
  };

  return html`<p class="lead">${texts.lead} <a href="${DOCS_PATH}/errors" hreflang="en">${locale.texts.frame.docs}</a></p>
<form method="get" action="${path}" class="filters" role="search">
<p><label for="request_id">${texts.find}</label>
<input id="request_id" name="request_id" type="search" value="${requestId}" maxlength="100" autocomplete="off" spellcheck="false"></p>
<button>${connections.show}</button>${isFiltered && html`<a class="button" href="${path}">${consent.showAll}</a>`}
</form>
${kept.length === 0 && (requestId ? notice("problem", texts.notFound) : counted.length === 0 && html`<p class="lead">${texts.none}</p>`)}
${shown.map(([key, of]) => group(key, of))}
${
  others.length > 0 &&
  html`<section class="card"><h2>${texts.others}</h2><ul class="rows">${others.map(
    (each) =>
      html`<li class="row"><a href="${pathOf(each)}"><code>${each.reason}</code></a> ${format(each.count)}</li>`,
  )}</ul></section>`
}`;
}

function errorView({ at, call, param, requestId, connectionId }: StoredRefusal, path: string, word: string): Html {
  const time = at.toISOString();
  return html`<li class="row"><div><p><code>${call}</code>${param !== null && html` · ${word} <code>${param}</code>`}</p>
<p class="fine"><time datetime="${time}">${time.replace("T", " ").replace("Z", " UTC")}</time> · <a href="${path}?request_id=${requestId}"><code>${requestId}</code></a>${connectionId !== null && html` · <code>${connectionId}</code>`}</p></div></li>
`;
}
