import { PartnerConnectError } from "@partner-connect/partner-sdk";
import { type Html, html } from "../page/html.ts";
import { cardPage, type Page } from "../page/layout.ts";

interface Refusal {
  readonly title: string;
  readonly why: string;
  readonly status?: number;
}

/** What each error of the SDK means for the merchant who stands before this page. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  authorization_denied: {
    title: "You didn’t connect a shop",
    why: "You declined, or there is no shop in your account that can be connected. Nothing has changed.",
    status: 200,
  },
  state_mismatch: {
    title: "This answer belongs to another request",
    why: "It was not begun in this browser, or it is over. To be safe we did nothing with it.",
  },
  missing_verifier: {
    title: "There is nothing to finish here",
    why: "No connection was begun in this browser, it was finished already, or it is too long ago.",
  },
  issuer_mismatch: {
    title: "This answer came from somebody else",
    why: "It was not sent by Partner Connect. We did nothing with it.",
  },
  invalid_grant: {
    title: "That took too long",
    why: "Your approval holds for five minutes and works once. Please approve again.",
  },
  answer_lost: {
    title: "The connection broke off",
    why: "You approved, but the answer was lost on its way to us. Please approve again.",
    status: 502,
  },
  unavailable: {
    title: "Partner Connect can’t be reached just now",
    why: "Your approval is still good. Try again in a moment.",
    status: 503,
  },
  store_failed: {
    title: "We couldn’t keep the connection",
    why: "The fault is ours, and your approval is still good. Try again in a moment.",
    status: 500,
  },
  token_limit_reached: {
    title: "Many shops are being connected just now",
    why: "Your approval is still good. Try again in a minute.",
    status: 503,
  },
};

/** Our own mistakes and limits: the merchant can do nothing about them but come back. */
const OURS: Refusal = {
  title: "We couldn’t finish this",
  why: "The fault is ours, and nothing was connected. Try again in a few minutes.",
  status: 500,
};

/** @throws what is no error of the SDK */
export function refusedCallback(error: unknown, token: Html): Page {
  if (!(error instanceof PartnerConnectError)) throw error;
  const { title, why, status = 400 } = REFUSALS[error.code] ?? OURS;
  const again = error.isTemporary;
  return cardPage(
    title,
    html`<p class="lead">${why}</p>
<form class="actions" method="post" action="/connect">${token}
${again && html`<a class="button primary" href="">Try again</a>`}
<button class="${again ? "" : "primary"}">Connect a shop</button>
<a class="button" href="/">To your shops</a></form>
<details><summary>For developers</summary><p><code>${error.code}</code>: ${error.message}</p>
${error.requestId && html`<p>Request <code>${error.requestId}</code></p>`}</details>`,
    status,
  );
}
