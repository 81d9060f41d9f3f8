import type {
  PartnerConnectError,
  StoredConnection,
  SurveyResponse,
} from "@partner-connect/partner-sdk";
import { type Html, html } from "./html.ts";
import type { ChannelCounts, Store } from "./store.ts";

const countText = (amount: number) =>
  `${amount.toLocaleString("en")} response${amount === 1 ? "" : "s"}`;
const time = (at: string) =>
  html`<time datetime="${at}">${at.slice(0, 16).replace("T", " ")} UTC</time>`;
const words = (...parts: (string | null)[]) => parts.filter(Boolean).join(" · ");
const connectForm = (label: string) =>
  html`<form method="post" action="/connect"><button class="primary">${label}</button></form>`;
export const card = (title: string, content: Html) =>
  html`<section class="card"><h1>${title}</h1>${content}</section>`;

/** @param productName replaces the default name in the texts */
export function layout(title: string, main: Html, docsUrl: string, productName: string): string {
  return html`<!doctype html>
<html lang="en"><head>
<meta charset="utf-8">
<title>${title} · Attribution Insights</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/sample.css">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
</head><body>
<header><a href="/"><img src="/icon.svg" width="28" height="28" alt=""> Attribution Insights</a> <span class="fine">a sample app</span></header>
<main>${main}</main>
<footer class="fine">For developers: this app is <code>packages/sample-partner</code>; its README is a tour. <a href="${docsUrl}">Partner Connect’s docs</a></footer>
</body></html>
`.markup.replaceAll("Partner Connect", () => html`${productName}`.markup);
}

export function homePage(connections: readonly StoredConnection[], store: Store, host: string) {
  if (connections.length > 0) {
    const shops = connections.map(
      ({ id, shop }) => html`<li class="card"><h2><a href="/shops/${id}">${shop.name}</a></h2>
<p>${countText(store.count(id))}</p>${store.failure(id) !== null && html`<p>not up to date</p>`}</li>`,
    );
    return html`<h1>Your shops</h1><ul>${shops}</ul>${connectForm("Connect another shop")}`;
  }
  const steps = html`<p>Connect your shop, and its survey responses appear here: who named which channel, and when.</p>
<ol>
<li>You go to Partner Connect (<code>${host}</code>) and sign in there. We never see your password.</li>
<li>You choose one shop, and read what we ask for: to read its survey responses.</li>
<li>You approve or decline, and come back here. After an approval we copy the responses, and keep the copy in sync.</li>
</ol>
<p class="fine">You can end it at any time: here, and at Partner Connect under Connected apps.</p>`;
  return card(
    "See what brings your customers to you",
    html`${steps}${connectForm("Connect your shop")}`,
  );
}

export function shopPage({ id, shop, connectedAt }: StoredConnection, store: Store): Html {
  const cause = store.failure(id);
  const chart = store.channels(id);
  return html`${cause !== null && troubleView(cause, shop.name)}
<div><h1>${shop.name}</h1><p class="fine">${shop.domain && `${shop.domain} · `}connected ${time(connectedAt)}</p></div>
${chart && chartView(chart)}
<section class="card"><h2>Responses</h2>
<p>${countText(store.count(id))} in our copy. <span class="fine">What the shop adds, changes or deletes is here within seconds. <a href="">Look again</a></span></p>
<div class="scroll" tabindex="0" role="region" aria-label="The newest responses">${responsesTable(store.newest(id))}</div></section>
<details><summary>Disconnect ${shop.name}</summary>
<p>Our access ends at once, also at Partner Connect. We delete our copy: ${countText(store.count(id))}.</p>
<form method="post" action="/shops/${id}/disconnect"><button>Disconnect and delete</button></form></details>`;
}

function responsesTable(responses: readonly SurveyResponse[]): Html {
  const rows = responses.map((one) => {
    return html`<tr><td>${time(one.inserted_at)}</td><td>${one.question}</td>
<td><strong>${one.response}</strong> ${one.other_response !== null && html`<q>${one.other_response}</q>`}</td><td>${words(one.utm_source, one.utm_campaign)}</td><td>${words(one.order_number, one.order_total)}</td></tr>`;
  });
  const titles = ["When", "Question", "Response", "Came by", "Order"].map(
    (title) => html`<th scope="col">${title}</th>`,
  );
  return html`<table class="responses"><thead><tr>${titles}</tr></thead><tbody>${rows}</tbody></table>`;
}

/** How often each answer to the question was given. */
function chartView({ question, channels }: ChannelCounts): Html {
  const most = channels[0]?.amount ?? 0;
  const bars = channels.map(
    ({ channel, amount }) => html`<tr><th scope="row">${channel}</th><td>${amount}</td>
<td><meter max="${most}" value="${amount}" aria-label="${channel}"></meter></td></tr>`,
  );
  return html`<section class="card"><h2>${question}</h2><table class="chart"><tbody>${bars}</tbody></table></section>`;
}

const ENDED: Readonly<Record<string, string>> = {
  revoked: "The connection was ended at Partner Connect.",
  "grant revoked": "The connection was ended at Partner Connect.",
  expired: "It had not been used for 30 days.",
  "refresh token expired": "It had not been used for 30 days.",
  "superseded by a newer authorization":
    "It was approved again, and we don’t hold that newer approval.",
  invalid_grant: "Partner Connect doesn’t know the connection that we hold.",
};

/** Why a copy is not up to date, and what to do. */
export function troubleView(cause: string, name: string): Html {
  const ended = ENDED[cause];
  if (ended) {
    return html`<div class="card" role="alert"><p><strong>${name} has to be connected again.</strong> ${ended} What we copied before is still here.</p>${connectForm("Connect again")}</div>`;
  }
  const isPaused = ["disabled", "on_hold", "forbidden"].includes(cause);
  const why = isPaused
    ? "Partner Connect has paused this connection."
    : `The last sync failed (${cause}).`;
  return html`<p class="card" role="alert">${why} It resumes automatically.</p>`;
}

/** Status, title and text for what the SDK throws at the callback. */
const REFUSALS: Readonly<Record<string, readonly [number, string, string]>> = {
  authorization_denied: [
    200,
    "You didn’t connect a shop",
    "You declined, or have no shop that can be connected.",
  ],
  state_mismatch: [
    400,
    "This answer belongs to another request",
    "It was not begun in this browser, or it is over.",
  ],
  missing_verifier: [
    400,
    "There is nothing to finish here",
    "Nothing was begun in this browser, or it was finished.",
  ],
  issuer_mismatch: [
    400,
    "This answer came from somebody else",
    "It was not sent by Partner Connect.",
  ],
  invalid_grant: [
    400,
    "That took too long",
    "An approval is valid for five minutes. Please approve again.",
  ],
  answer_lost: [
    502,
    "The connection broke off",
    "The answer was lost on its way to us. Please approve again.",
  ],
  unavailable: [503, "Partner Connect can’t be reached just now", "Your approval is still good."],
  store_failed: [
    500,
    "We couldn’t store the connection",
    "The fault is ours, and your approval is still good.",
  ],
  token_limit_reached: [
    503,
    "Many shops are being connected just now",
    "Your approval is still good.",
  ],
};

export function refusedCallback({ code, message, isTemporary, requestId }: PartnerConnectError) {
  const [status, title, why] = REFUSALS[code] ?? [
    500,
    "We couldn’t finish this",
    "The fault is ours.",
  ];
  // The SDK continues where it stopped: opening the same URL again completes the authorization.
  const main = html`<p>${why}</p>${isTemporary ? html`<p><a href="">Try again</a></p>` : connectForm("Connect a shop")}
<details><summary>For developers</summary><p><code>${code}</code>: ${message} ${requestId ?? null}</p></details>`;
  return { status, title, main: card(title, main) };
}
