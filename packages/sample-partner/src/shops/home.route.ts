import type { FastifyInstance } from "fastify";
import { formToken, takeDone } from "../http/sessions.ts";
import { type Html, html } from "../page/html.ts";
import { cardPage, notice, type Page, sendPage } from "../page/layout.ts";
import { count, moment } from "../page/moment.ts";
import type { Sample } from "../sample.ts";
import { mustReconnect, type Shop } from "./shop.ts";

export function homeRoute(app: FastifyInstance, { config, shops }: Sample): void {
  const { host } = new URL(config.partnerConnect.baseUrl);
  app.get("/", async (request, reply) => {
    const token = formToken(reply);
    const list = shops.list();
    return sendPage(reply, list.length === 0 ? firstShopView(host, token) : shopsView(list, takeDone(request), token));
  });
}

function firstShopView(partnerConnect: string, token: Html): Page {
  return cardPage(
    "See what brings your customers to you",
    html`<p class="lead">Connect your shop, and its survey responses appear here: who named which channel, and when.</p>
<h2>What will happen</h2>
<ol class="steps">
<li>You go to Partner Connect (<code>${partnerConnect}</code>) and sign in there. We never see your password.</li>
<li>You choose one shop, and read what we ask for: to read its responses, and to create sources if its plan has them.</li>
<li>You approve or decline, and come back here. After an approval we copy the responses, and keep the copy in sync.</li>
</ol>
<p class="fine">You can end it at any time: here, and at Partner Connect under Connected apps.</p>
<form class="actions" method="post" action="/connect">${token}<button class="primary">Connect your shop</button></form>`,
  );
}

function shopsView(shops: readonly Shop[], done: string | null, token: Html): Page {
  const main = html`${done !== null && notice("done", done)}<h1>Your shops</h1>
<ul class="shops">${shops.map(shopCard)}</ul>
<form class="actions" method="post" action="/connect">${token}<button>Connect another shop</button></form>`;
  return { title: "Your shops", main };
}

function shopCard(shop: Shop): Html {
  return html`<li class="card"><h2><a href="/shops/${shop.connectionId}">${shop.name}</a></h2>
<p>${count(shop.responses, "response")}</p>
<p class="fine">${shop.syncedAt === null ? "not synced yet" : html`synced ${moment(shop.syncedAt)}`}</p>
${mustReconnect(shop) && html`<p><span class="tag danger">has to be connected again</span></p>`}</li>`;
}
