import { join } from "node:path";
import { docsLayout } from "@partner-connect/developer-docs";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { type DemoData, MERCHANTS } from "../demo/demo-file.ts";
import { type LocalStackState, readJson, stateFile } from "../stack/state.ts";

/** The page of the stack that has this folder, as its files say now. Either is missing while the stack starts. */
export async function startPage(dataDir: string): Promise<string> {
  const [state, demo] = await Promise.all([
    readJson<LocalStackState>(stateFile(dataDir)),
    readJson<DemoData>(join(dataDir, "demo.json")),
  ]);
  return startPageView(dataDir, state, demo).toString();
}

function startPageView(dataDir: string, state: LocalStackState | null, demo: DemoData | null): Html {
  const title = "Partner Connect runs on this machine";
  return docsLayout({
    name: null,
    title,
    main: html`<h1>${title}</h1>
<p>This page is part of the local stack alone. ${state === null && "It is starting: load this page again."}</p>
${state?.sample_partner_url && sample(state.sample_partner_url)}
<h2 id="look">Look around</h2>
<ul>
<li><a href="/docs">Guides and reference</a>, beginning with <a href="/docs/first-connection">the first connection</a></li>
<li><a href="/oauth/connections">Connected apps</a>, where merchants sign in and disconnect</li>
<li><a href="/partner">Partner pages</a>, where a partner sees the app's connections and refusals, and makes test shops</li>
<li><a href="/mail">Mails</a> that merchants would get</li>
</ul>
${demo?.client && credentials(demo)}
${state && addresses(state)}
<p>Data and logs are in <code>${dataDir}</code>.</p>`,
  });
}

function sample(url: string): Html {
  return html`<h2 id="sample">See it work</h2>
<p>A partner's app runs at <a href="${url}">${url}</a>. Connect a shop there, as one of the merchants below.</p>`;
}

function credentials({ merchants, partner, client, api_key: apiKey }: DemoData): Html {
  return html`<h2 id="demo">Demo data</h2>
<div class="table credentials" tabindex="0"><table>
<thead><tr><th>Who</th><th>Signs in with</th><th>Has</th></tr></thead>
<tbody>
${merchants.map(
  ({ name, email, password }) => html`<tr><th scope="row">${name}, a merchant</th>
<td><code>${email}</code><br><code>${password}</code></td>
<td>${shopsOf(email)}</td></tr>
`,
)}${
  partner &&
  html`<tr><th scope="row">${partner.name}, of the partner</th>
<td><code>${partner.email}</code><br><code>${partner.password}</code></td>
<td><a href="/partner">its pages</a></td></tr>
`
}<tr><th scope="row">${client?.name}, a partner</th>
<td><code>${client?.client_id}</code><br><code>${client?.client_secret}</code></td>
<td><code>${client?.scope}</code><br>${client?.redirect_uris.map((uri) => html`<code>${uri}</code> `)}(any port)</td></tr>
<tr><th scope="row">${MERCHANTS[0].shops[0].name}, by its API key</th><td><code>${apiKey}</code></td><td>its own responses</td></tr>
</tbody></table></div>`;
}

function shopsOf(email: string): HtmlValue {
  const shops = MERCHANTS.find((merchant) => merchant.email === email)?.shops ?? [];
  return shops.map(({ name, plan }, index) => html`${index > 0 && html`<br>`}${name} (${plan})`);
}

function addresses({ base_url: base, auth_url: auth, api_url: api, processes }: LocalStackState): Html {
  return html`<h2 id="addresses">What runs where</h2>
<div class="table" tabindex="0"><table>
<thead><tr><th>What</th><th>Where</th></tr></thead>
<tbody>
<tr><th scope="row">everything</th><td><code>${base}</code></td></tr>
<tr><th scope="row">authorization and these pages</th><td><code>${auth}</code></td></tr>
<tr><th scope="row">the API</th><td><code>${api}</code></td></tr>
${processes.map(
  ({ name, url, pid }) =>
    html`<tr><td>${name}</td><td>${url !== undefined && html`<code>${new URL(url).host}</code>, `}process ${pid}</td></tr>
`,
)}</tbody></table></div>`;
}
