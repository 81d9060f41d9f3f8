import { clientConnections } from "@partner-connect/connections";
import {
  countRefusalsOfClient,
  refusalsOfClient,
  type StoredRefusal,
} from "@partner-connect/connections/activity";
import type { ClientSummary } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance } from "fastify";
import { sendNotFoundPage } from "../pages/error-page.ts";
import { formField } from "../pages/forms.ts";
import { notice } from "../pages/frame.ts";
import { logTime } from "../pages/moment.ts";
import { allowBreaks, isolatedName, plainName } from "../pages/names.ts";
import { DOCS_PATH } from "../pages/paths.ts";
import { CAUSES, diagnose, guideOf } from "./diagnose.ts";
import {
  copyableText,
  emptyCard,
  formatNumber,
  pair,
  SEP,
  sectionPath,
  sendPartnerPage,
} from "./partner-page.ts";

/** Number of examples that the page shows for each reason. */
const EXAMPLES = 3;
const NONE = "No call has failed in the last 7 days.";
/** The endpoints to filter by. A failed call to any other endpoint counts as the API's. */
const ENDPOINTS = ["authorize", "token", "API"] as const;
const endpointOf = ({ what }: StoredRefusal) =>
  ENDPOINTS.find((each) => what.startsWith(`${each}_`)) ?? "API";

/** A client's failed calls of 7 days with causes: by reason, one shop's, or one by request id. */
export function errorsRoute(app: FastifyInstance): void {
  const { pagesSql, config } = app;
  const { refreshTokenTtl } = config.tokens;

  app.get("/errors", async (request, reply) => {
    const { clientId } = request.partner;
    const requestId = formField(request.query, "request_id").trim().toLowerCase() || undefined;
    const connectionId = formField(request.query, "connection") || undefined;
    const endpoint = ENDPOINTS.find((each) => each === formField(request.query, "endpoint"));
    const [kept, refusals] = await Promise.all([
      refusalsOfClient(pagesSql, clientId, { requestId, connectionId }, EXAMPLES),
      requestId || connectionId ? [] : countRefusalsOfClient(pagesSql, clientId),
    ]);
    const only = [connectionId, ...kept.map((each) => each.connectionId)].flatMap((id) => id ?? []);
    const asked = { direction: "forward", limit: only.length, only } as const;
    const found = await clientConnections(pagesSql, clientId, asked, refreshTokenTtl);
    const shops = new Map(found?.rows.map(({ id, shopName }) => [id, shopName]));
    const shop = connectionId && shops.get(connectionId);
    if (connectionId && shop === undefined) return sendNotFoundPage(reply);
    const path = sectionPath(request.partner, "errors");
    const wanted = kept.filter((each) => requestId || !endpoint || endpointOf(each) === endpoint);
    const groups = [...Map.groupBy(wanted, ({ what, reason }) => `${what} ${reason}`)];
    const group = ([key, [first, ...rest]]: readonly [string, readonly StoredRefusal[]]) => {
      if (!first) return null;
      const examples = [first, ...rest];
      const sent = new Set(examples.flatMap((each) => each.sent ?? []));
      const count = connectionId
        ? first.kept
        : refusals.find(({ what, reason }) => `${what} ${reason}` === key)?.count;
      const cause = diagnose(first);
      const [title, ...todo] = CAUSES[cause].split(/(?<=\.) /);
      return html`<section class="card">
<h2>${title?.slice(0, -1)}</h2>
${todo.length > 0 && html`<p>${todo.join(" ")}</p>`}
<p class="fine"><code>${first.status} ${first.error ?? first.reason}</code>${SEP}${count !== undefined && html`${quantity(count, "error")}${count > examples.length ? html`, the latest ${examples.length} below${SEP}` : "\u00a0· "}`}<a href="${DOCS_PATH}/${guideOf(first)}">How to fix it</a></p>
${cause === "redirectUri" && html`<dl class="pairs">${sent.size > 0 && uris("Sent", [...sent], markDifference(request.partner.redirectUris))}${uris("Registered", request.partner.redirectUris)}</dl>`}
<ul class="rows calls">${examples.map((each) => errorView(each, request.partner, shops))}</ul>
</section>`;
    };
    const from = shop ? "shop" : endpoint && "endpoint";
    const why = from ? `None that we keep is from this ${from}.` : NONE;
    const none = requestId
      ? notice("problem", "Not found. API 401s and token endpoint 429s aren’t listed.")
      : emptyCard("No errors", why, `${DOCS_PATH}/errors`, "Error codes");
    return sendPartnerPage(reply, "errors", {
      ...(shop && { title: `Failed calls for ${plainName(shop)} in the last 7 days` }),
      body: html`<p class="lead">A new error appears within 10 seconds.${shop && " We keep up to 200 recent ones of each kind."}</p>
<form method="get" action="${path}" class="filters" role="search">
<p><label for="request_id">Request ID (x-request-id)</label>
<input id="request_id" name="request_id" type="search" value="${requestId}" maxlength="100" autocomplete="off" spellcheck="false"></p>
${!shop && html`<p><label for="endpoint">Endpoint</label><select id="endpoint" name="endpoint"><option value="">All</option>${ENDPOINTS.map((each) => html`<option${each === endpoint && !requestId && html` selected`}>${each}</option>`)}</select></p>`}
<button>Search</button>${(requestId || endpoint || shop) && html`<a class="button" href="${path}">Show all</a>`}
</form>
${groups.length === 0 && none}
${groups.map(group)}`,
    });
  });
}

export const quantity = (count: number, noun: string) =>
  `${formatNumber(count)}\u00a0${noun}${count === 1 ? "" : "s"}`;

function uris(name: string, all: readonly string[], shown = allowBreaks): Html {
  return pair(name, html`<ul>${all.map((uri) => html`<li><code>${shown(uri)}</code></li>`)}</ul>`);
}

/** Marks what follows the longest prefix that the URI shares with a registered one. */
const markDifference = (registered: readonly string[]) => (uri: string) => {
  let same = uri.length;
  while (same > 0 && !registered.some((each) => each.startsWith(uri.slice(0, same)))) same -= 1;
  return html`${allowBreaks(uri.slice(0, same))}<mark>${allowBreaks(uri.slice(same))}</mark>`;
};

function errorView(
  { at, call, param, requestId, connectionId }: StoredRefusal,
  client: ClientSummary,
  shops: ReadonlyMap<string, string>,
): Html {
  const shop = connectionId !== null && shops.get(connectionId);
  const connection = `${sectionPath(client, "connections")}/${connectionId}`;
  return html`<li class="row"><div><p><code>${call}</code>${param !== null && html`${SEP}parameter&nbsp;<code>${param}</code>`}${shop && html`${SEP}<a href="${connection}">${isolatedName(shop)}</a>`}</p>
<p class="fine">${logTime(at)}${SEP}${copyableText(requestId)}</p></div></li>
`;
}
