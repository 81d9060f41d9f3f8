import { type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { renderMarkdown } from "../guide/markdown.ts";
import type { Parameter, Resolve, Schema } from "./api-document.ts";
import { boundsView, shown, typeView } from "./type.view.ts";

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly description: string | undefined;
  readonly example: unknown;
  /** Stands below the name. */
  readonly note: string | false | undefined;
}

/** A row for each field of an object. */
export function propertiesView(schema: Schema, resolve: Resolve): HtmlValue {
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]): Field => {
    const resolved = resolve(property);
    return {
      name,
      schema: property,
      description: property.description ?? (resolved.properties ? undefined : resolved.description),
      example: exampleOf(resolved),
      note: property.deprecated && "deprecated",
    };
  });
  return table("Field", fields, resolve);
}

export function parametersView(parameters: readonly Parameter[], resolve: Resolve): HtmlValue {
  const fields = parameters.map(resolve).map(
    ({ name, in: place, required, deprecated, description, schema = {}, example, examples }): Field => ({
      name,
      schema,
      description: description ?? resolve(schema).description,
      example: example ?? Object.values(examples ?? {})[0]?.value ?? exampleOf(resolve(schema)),
      note: [place === "query" ? "" : place, required ? "required" : "", deprecated ? "deprecated" : ""]
        .filter(Boolean)
        .join(", "),
    }),
  );
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

function exampleOf({ example, examples }: Schema): unknown {
  return example ?? examples?.[0];
}

/** A description, which is Markdown. */
export function text(description: string | undefined): HtmlValue {
  return description !== undefined && renderMarkdown(description).body;
}
