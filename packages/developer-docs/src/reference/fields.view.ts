import type { DescribedParameter, DescribedSchema } from "@partner-connect/public-api/document";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { renderMarkdown } from "../guide/markdown.ts";
import { componentName, type Resolve } from "./resolver.ts";

interface Field {
  readonly name: string;
  readonly schema: DescribedSchema;
  readonly description: string | undefined;
  readonly example: unknown;
  /** Stands below the name. */
  readonly note?: string;
}

export function propertiesView(schema: DescribedSchema, resolve: Resolve): HtmlValue {
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]): Field => {
    const resolved = resolve(property);
    const description = property.description ?? (resolved.properties ? undefined : resolved.description);
    return { name, schema: property, description, example: resolved.examples?.[0] };
  });
  return table("Field", fields, resolve);
}

export function parametersView(parameters: readonly DescribedParameter[], resolve: Resolve): HtmlValue {
  const fields = parameters.map((parameter): Field => {
    const { in: place, required, deprecated } = parameter;
    const notes = [place !== "query" && place, required && "required", deprecated && "deprecated"];
    return { ...parameter, note: notes.filter(Boolean).join(", ") };
  });
  return table("Parameter", fields, resolve);
}

function table(heading: string, fields: readonly Field[], resolve: Resolve): HtmlValue {
  if (fields.length === 0) return null;
  return html`<div class="table fields" tabindex="0"><table>
<thead><tr><th>${heading}</th><th>Type</th><th>Meaning</th></tr></thead>
<tbody>
${fields.map(
  ({ name, schema, description, example, note }) => html`<tr>
<th scope="row"><code>${name}</code>${note && html`<p class="note">${note}</p>`}</th>
<td>${typeView(schema, resolve)}</td>
<td>${text(description)}${boundsView(schema, resolve)}${example !== undefined && html`<p class="bound">Example: <code>${shown(example)}</code></p>`}</td>
</tr>
`,
)}</tbody></table></div>
`;
}

export function text(description: string | undefined): HtmlValue {
  return description !== undefined && renderMarkdown(description).body;
}

/** A schema in a few words: `string or null`, `list of Response`. */
export function typeView(schema: DescribedSchema, resolve: Resolve): Html {
  const name = componentName(schema);
  if (name !== null) {
    const { properties } = resolve(schema);
    return properties ? html`<a href="#${schemaId(name)}">${name}</a>` : typeView(resolve(schema), resolve);
  }
  if (schema.oneOf) return joined(schema.oneOf.map((choice) => typeView(choice, resolve)));
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum && schema.type === undefined) return html`one of a list`;
  const { items } = schema;
  const wordOf = (type: string) =>
    type === "array" && items ? html`list of ${typeView(items, resolve)}` : html`${type}`;
  return joined([schema.type ?? []].flat().map(wordOf));
}

function joined(words: readonly Html[]): Html {
  return html`${words.map((word, index) => html`${index > 0 && " or "}${word}`)}`;
}

export function schemaId(name: string): string {
  return `schema-${name}`;
}

/** A pattern of times, which says less to people than an example. */
const TIME = /^\^\\d\{4\}-/;

/** What a value must be beside its type, one line each. */
function boundsView(schema: DescribedSchema, resolve: Resolve): HtmlValue {
  const resolved = resolve(schema);
  const { enum: values, pattern, minimum, maximum, minLength = 0, maxLength, maxItems, default: fallback } = resolved;
  const lines: HtmlValue[] = [
    values && html`One of ${values.map((value, index) => html`${index > 0 && ", "}<code>${value}</code>`)}`,
    fallback !== undefined && html`Default: <code>${shown(fallback)}</code>`,
    minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}`,
    maxLength !== undefined && `${minLength} to ${maxLength} characters`,
    maxItems !== undefined && `At most ${maxItems}`,
    pattern !== undefined && (TIME.test(pattern) ? "A time: RFC 3339" : html`Form: <code>${pattern}</code>`),
  ];
  return lines.filter((line) => line).map((line) => html`<p class="bound">${line}</p>`);
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
