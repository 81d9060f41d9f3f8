import type { DescribedBody, DescribedOperation } from "@partner-connect/public-api/document";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { codeView } from "../guide/code.view.ts";
import { parametersView, propertiesView, text, typeView } from "./fields.view.ts";
import type { Resolve } from "./resolver.ts";

export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: DescribedOperation;
}

export function operationView({ method, path, operation }: Endpoint, resolve: Resolve): Html {
  const { operationId: id, summary, description, parameters, requestBody: body, responses } = operation;
  const title = summary.replace(/\.$/, "");
  return html`<section class="operation">
<h3 id="${id}">${title} <a class="anchor" href="#${id}" aria-label="Link to: ${title}">#</a></h3>
<p class="route"><code><b>${method.toUpperCase()}</b> ${path}</code></p>
${text(description)}
${parameters && html`<h4>Parameters</h4>${parametersView(parameters, resolve)}`}
${body && html`<h4>Body</h4>${text(body.description)}${mediaViews(body, resolve, true)}`}
<h4>Answers</h4>
${Object.entries(responses).map(([status, answer]) => answerView(status, resolve(answer), resolve))}
</section>
`;
}

function answerView(status: string, answer: DescribedBody, resolve: Resolve): Html {
  return html`<details class="answer-of"><summary><b class="status s${status[0]}">${status}</b> ${plain(answer.description)}</summary>
${headersView(answer, resolve)}
${mediaViews(answer, resolve, false)}
</details>
`;
}

function headersView({ headers }: DescribedBody, resolve: Resolve): HtmlValue {
  const entries = Object.entries(headers ?? {});
  return (
    entries.length > 0 &&
    html`<dl class="headers">${entries.map(([name, header]) => html`<dt><code>${name}</code></dt><dd>${text(resolve(header).description)}</dd>`)}</dl>`
  );
}

/** `withFields`: the body's fields stand here, as its schema is used nowhere else. */
function mediaViews({ content }: DescribedBody, resolve: Resolve, withFields: boolean): HtmlValue {
  return Object.entries(content ?? {}).map(
    ([
      type,
      { schema, examples },
    ]) => html`<p class="media"><code>${type}</code>${schema && html` ${typeView(schema, resolve)}`}</p>
${withFields && schema && propertiesView(resolve(schema), resolve)}
${Object.values(examples ?? {}).map(({ summary, value }) => html`<p class="media">${summary}</p>${exampleView(value)}`)}`,
  );
}

function exampleView(value: unknown): Html {
  return typeof value === "string"
    ? codeView({ lang: "text answer", text: value })
    : codeView({ lang: "json answer", text: JSON.stringify(value, null, 2) });
}

/** A summary is one line: its Markdown's own marks go. */
function plain(description = ""): string {
  return description.replaceAll("`", "");
}
