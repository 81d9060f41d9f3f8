import { createHash } from "node:crypto";
import {
  type Described,
  type DescribedDocument,
  type DescribedOperation,
  operationGroups,
} from "@partner-connect/contract/openapi";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
code,pre{font:14px/1.5 ui-monospace,monospace}pre{overflow:auto;padding:.5rem 1rem;border:1px solid #8886}
section{border-top:1px solid #8886;margin-top:2rem}dt{margin-top:.5rem}dd{margin:0 0 0 1.5rem}`;

export const DOCS_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; frame-ancestors 'none'; base-uri 'none'`,
};

/** GET /internal/docs: the OpenAPI document as a page that loads nothing else. */
export function docsPage(document: DescribedDocument): string {
  const { info, components } = document;
  const groups = operationGroups(document);
  return String(html`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${info.title}</title>
<style>${STYLE}</style>
<h1>${info.title}</h1><p>${info.description} For programs: <a href="openapi.json">openapi.json</a>.</p>
${groups.map(
  (group) => html`<p><b>${group.name}</b>: ${group.description}</p>
<ul>${group.operations.map((one) => html`<li><a href="#${one.operationId}"><code>${one.route}</code></a> ${one.summary}</li>`)}</ul>`,
)}
${groups.flatMap((group) => group.operations).map(operationView)}
<section><h2>Records</h2>${Object.entries(components.schemas).map(
    ([name, schema]) =>
      html`<h3 id="${name}">${name}</h3><p>${prose(schema.description)}</p>${fieldList(schema)}`,
  )}</section></html>`);
}

function operationView(operation: DescribedOperation & { readonly route: string }): Html {
  const { operationId, route, parameters = [], requestBody, responses } = operation;
  const fields = Object.fromEntries(
    parameters.map(({ name = "", schema = {}, ...rest }) => [name, { ...schema, ...rest }]),
  );
  const bodies = Object.entries(requestBody?.content ?? {});
  return html`<section id="${operationId}"><h2><code>${route}</code></h2><p>${operation.summary} ${prose(operation.description)}</p>
${parameters.length > 0 && html`<h3>Parameters</h3>${fieldList({ properties: fields })}`}
${bodies.length > 0 && html`<h3>Body</h3>`}
${bodies.map(([type, { schema = {} }]) => html`<p><code>${type}</code>: ${typeOf(schema)}</p>${fieldList(schema)}`)}
<h3>Answers</h3><dl>${Object.entries(responses).map(
    ([status, { description: meaning, content = {} }]) =>
      html`<dt>${status}</dt><dd>${prose(meaning)}${Object.values(content).map(
        ({ schema = {}, examples = {} }) => [html` ${typeOf(schema)}`, examplesOf(examples)],
      )}</dd>`,
  )}</dl></section>`;
}

const examplesOf = (examples: unknown): HtmlValue[] =>
  Object.values(
    examples as Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>,
  ).map(
    ({ summary, value }) => html`<p>${summary}:</p><pre>${JSON.stringify(value, null, 2)}</pre>`,
  );

function fieldList({ properties = {}, required = [] }: Described): HtmlValue {
  const fields = Object.entries(properties).map(([name, field]) => {
    const isRequired = Array.isArray(required) && required.includes(name);
    const example = Array.isArray(field.examples) ? field.examples[0] : undefined;
    return html`<dt><code>${name}</code> ${typeOf(field)}${isRequired && ", required"}</dt>
<dd>${prose(field.description)} ${rules(field)}${example !== undefined && html` Example: <code>${JSON.stringify(example)}</code>`}${
      field.items?.properties && fieldList(field.items)
    }</dd>`;
  });
  return fields.length > 0 && html`<dl>${fields}</dl>`;
}

/** A type in words, such as `string or null` or `list of Response`, with links to records. */
function typeOf({ $ref, type, items }: Described): HtmlValue {
  const name = $ref?.split("/").at(-1);
  if (name !== undefined) return html`<a href="#${name}">${name}</a>`;
  if (items) return html`list of ${typeOf(items)}`;
  return [type ?? []].flat().join(" or ");
}

function rules({ enum: values, pattern, format, minimum, maximum }: Described): HtmlValue {
  const range = minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}.`;
  const form =
    format === "date-time" ? "RFC 3339." : pattern && html`Form: <code>${pattern}</code>.`;
  return [values && `One of ${values.map((value) => String(value)).join(", ")}. `, range, form];
}

/** A text in which backticks mark code. */
const prose = (text = ""): HtmlValue[] =>
  text.split("`").map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
