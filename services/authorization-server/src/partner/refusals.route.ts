import {
  type CountedRefusals,
  countedRefusals,
  refusalsOfClient,
  type StoredRefusal,
} from "@partner-connect/connections/activity";
import { cureOf } from "@partner-connect/developer-docs";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance } from "fastify";
import { formField } from "../pages/forms.ts";
import type { Locale } from "../pages/frame.ts";
import { notice } from "../pages/frame.ts";
import type { PartnerTexts } from "../texts/en.ts";
import { sectionPath, sendPartnerPage } from "./partner-page.ts";

/** Of each reason, where all reasons are shown; and of the one that is asked for. */
const FEW = 3;
const MANY = 30;

/** What a client was refused in 7 days, with the cures: all of it by reason, one reason, or one request by its id. */
export function refusalsRoute(app: FastifyInstance): void {
  const { sql } = app;

  app.get("/refusals", async (request, reply) => {
    const { clientId } = request.partner;
    const asked = (name: string) => formField(request.query, name).trim() || undefined;
    const requestId = asked("request_id")?.toLowerCase();
    const filter = requestId ? { requestId } : { what: asked("what"), reason: asked("reason") };
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    const [kept, counted] = await Promise.all([
      refusalsOfClient(sql, clientId, filter, isFiltered ? MANY : FEW),
      requestId ? [] : countedRefusals(sql, clientId),
    ]);
    const view = { clientId, requestId, isFiltered, kept, counted };
    return sendPartnerPage(reply, "refusals", (texts, locale) => ({ body: refusalsView(view, texts, locale) }));
  });
}

interface RefusalsView {
  readonly clientId: string;
  /** That was searched for. */
  readonly requestId: string | undefined;
  readonly isFiltered: boolean;
  readonly kept: readonly StoredRefusal[];
  readonly counted: readonly CountedRefusals[];
}

/** Reasons whose examples are shown on one page. Those of the others are a link away. */
const SHOWN = 5;

type Reason = Pick<StoredRefusal, "what" | "reason">;

function refusalsView(view: RefusalsView, { refusals: texts }: PartnerTexts, locale: Locale): Html {
  const { clientId, requestId, isFiltered, kept, counted } = view;
  const { consent } = locale.texts;
  const path = sectionPath({ clientId }, "refusals");
  const pathOf = ({ what, reason }: Reason) => `${path}?${new URLSearchParams({ what, reason })}`;
  const number = new Intl.NumberFormat(locale.tag);
  const keyOf = ({ what, reason }: Reason) => `${what} ${reason}`;
  const counts = new Map(counted.map((each) => [keyOf(each), each.count]));
  const groups = [...Map.groupBy(kept, keyOf)];
  const shown = groups.slice(0, SHOWN);
  const names = new Set(shown.map(([key]) => key));
  const others = isFiltered ? [] : counted.filter((each) => !names.has(keyOf(each)));

  const numbers = (first: StoredRefusal, all: number | undefined): HtmlValue =>
    all !== undefined && html`<p class="fine">${texts.counted(number.format(all), number.format(first.kept))}</p>`;

  const group = (key: string, [first, ...rest]: readonly StoredRefusal[]): HtmlValue =>
    first &&
    html`<section class="card">
<h2><code>${first.status}</code> ${first.error !== null && html`<code>${first.error}</code>`} <code>${first.reason}</code></h2>
${numbers(first, counts.get(key))}
${cureView(first, texts)}
<ul class="rows">${[first, ...rest].map((each) => refusalView(each, path, texts))}</ul>
${!isFiltered && first.kept > rest.length + 1 && html`<p><a href="${pathOf(first)}">${texts.more}</a></p>`}
</section>`;

  return html`<p class="lead">${texts.lead}</p>
<form method="get" action="${path}" class="search" role="search">
<label for="request_id">${texts.find}</label>
<input id="request_id" name="request_id" type="search" value="${requestId}" maxlength="100" autocomplete="off" spellcheck="false">
<div class="actions"><button class="primary">${consent.find}</button>${isFiltered && html`<a class="button" href="${path}">${consent.showAll}</a>`}</div>
</form>
${kept.length === 0 && (requestId ? notFound(texts) : counted.length === 0 && html`<p class="lead">${texts.none}</p>`)}
${shown.map(([key, of]) => group(key, of))}
${
  others.length > 0 &&
  html`<section class="card"><h2>${texts.others}</h2><ul class="rows">${others.map(
    (each) =>
      html`<li class="row"><a href="${pathOf(each)}"><code>${each.reason}</code></a> ${number.format(each.count)}</li>`,
  )}</ul></section>`
}
<p class="fine next">${texts.exact}</p>`;
}

function notFound(texts: PartnerTexts["refusals"]): HtmlValue {
  return notice(
    "problem",
    html`<p>${texts.notFound}</p><p>${texts.nobodys} <a href="/docs/errors" hreflang="en">${texts.guide}</a></p>`,
  );
}

/** The guide is in English. */
function cureView(refusal: StoredRefusal, texts: PartnerTexts["refusals"]): HtmlValue {
  const found = cureOf(refusal);
  return (
    found &&
    html`<dl class="pairs next"><dt>${texts.cause}</dt><dd lang="en">${found.cause}</dd>
<dt>${texts.cure}</dt><dd lang="en"><strong>${found.cure}</strong></dd></dl>
<p class="fine"><a href="${found.path}" hreflang="en">${texts.guide}</a></p>`
  );
}

function refusalView(refusal: StoredRefusal, path: string, texts: PartnerTexts["refusals"]): Html {
  const { at, call, status, param, requestId, connectionId } = refusal;
  const time = at.toISOString();
  return html`<li class="row"><div><p><time datetime="${time}">${time.replace("T", " ").replace("Z", " UTC")}</time></p>
<p><code>${call}</code> <code>${status}</code>${param !== null && html` · ${texts.param} <code>${param}</code>`}</p>
<p class="fine"><a href="${path}?request_id=${requestId}"><code>${requestId}</code></a>${connectionId !== null && html` · <code>${connectionId}</code>`}</p></div></li>
`;
}
