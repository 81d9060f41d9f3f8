import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { codeView } from "../guide/code.view.ts";
import type { Body, Media, Operation, Resolve } from "./api-document.ts";
import { parametersView, propertiesView, text } from "./fields.view.ts";
import { typeView } from "./type.view.ts";

/** One thing that can be asked: a method and a path. */
export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export function endpointId({ method, path, operation }: Endpoint): string {
  return operation.operationId ?? `${method}${path.replace(/[^\w]+/g, "-")}`;
}

export function routeOf({ method, path }: Endpoint): string {
  return `${method.toUpperCase()} ${path}`;
}

function titleOf(endpoint: Endpoint): string {
  return endpoint.operation.summary?.replace(/\.$/, "") ?? routeOf(endpoint);
}

export function operationView(endpoint: Endpoint, resolve: Resolve): Html {
  const { method, path, operation } = endpoint;
  const title = titleOf(endpoint);
  const id = endpointId(endpoint);
  const body = operation.requestBody && resolve(operation.requestBody);
  return html`<section class="operation">
<h3 id="${id}">${title} <a class="anchor" href="#${id}" aria-label="Link to: ${title}">#</a></h3>
<p class="route"><code><b>${method.toUpperCase()}</b> ${path}</code></p>
${text(operation.description)}
${operation.parameters && html`<h4>Parameters</h4>${parametersView(operation.parameters, resolve)}`}
${body && html`<h4>Body</h4>${text(body.description)}${mediaViews(body, resolve, true)}`}
<h4>Answers</h4>
${Object.entries(operation.responses ?? {}).map(([status, answer]) => answerView(status, resolve(answer), resolve))}
</section>
`;
}

function answerView(status: string, answer: Body, resolve: Resolve): Html {
  return html`<details class="answer-of"><summary><b class="status s${status[0]}">${status}</b> ${plain(answer.description)}</summary>
${headersView(answer, resolve)}
${mediaViews(answer, resolve, false)}
</details>
`;
}

function headersView({ headers }: Body, resolve: Resolve): HtmlValue {
  const entries = Object.entries(headers ?? {});
  return (
    entries.length > 0 &&
    html`<dl class="headers">${entries.map(([name, header]) => html`<dt><code>${name}</code></dt><dd>${text(resolve(header).description)}</dd>`)}</dl>`
  );
}

/** `withFields`: the body's fields stand here, as its schema is used nowhere else. */
function mediaViews({ content }: Body, resolve: Resolve, withFields: boolean): HtmlValue {
  return Object.entries(content ?? {}).map(([type, media]) => {
    const schema = media.schema && resolve(media.schema);
    return html`<p class="media"><code>${type}</code>${media.schema && html` ${typeView(media.schema, resolve)}`}</p>
${withFields && schema && propertiesView(schema, resolve)}
${examplesOf(media, resolve)}`;
  });
}

function examplesOf({ example, examples }: Media, resolve: Resolve): HtmlValue {
  if (example !== undefined) return exampleView(example);
  return Object.values(examples ?? {}).map((one) => {
    const { summary, value } = resolve(one);
    return html`${summary && html`<p class="media">${summary}</p>`}${exampleView(value)}`;
  });
}

function exampleView(value: unknown): Html {
  const isText = typeof value === "string";
  return codeView({
    lang: isText ? "text answer" : "json answer",
    text: isText ? value : JSON.stringify(value, null, 2),
  });
}

/** A summary is one line: its Markdown's own marks go. */
function plain(description: string | undefined): string {
  return (description ?? "").replaceAll("`", "");
}
