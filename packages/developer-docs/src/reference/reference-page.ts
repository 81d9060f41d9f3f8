import type { DescribedDocument, DescribedSchema } from "@partner-connect/public-api/document";
import { type Html, html } from "@partner-connect/service-runtime/html";
import { layout } from "../layout.ts";
import { REFERENCE } from "../navigation.ts";
import { propertiesView, schemaId, text } from "./fields.view.ts";
import { type Endpoint, operationView } from "./operation.view.ts";
import { type Resolve, resolver } from "./resolver.ts";

export function referencePage(document: DescribedDocument, baseUrl: string): Html {
  const resolve = resolver(document);
  const groups = Object.entries(Object.groupBy(endpoints(document), ({ operation }) => operation.tags[0] ?? ""));
  const records = Object.entries(document.components.schemas).filter(([, { properties }]) => properties !== undefined);
  const headings = [
    ...groups.flatMap(([, members = []]) =>
      members.map(({ method, path, operation }) => ({
        id: operation.operationId,
        text: `${method.toUpperCase()} ${path}`,
      })),
    ),
    ...records.map(([name]) => ({ id: schemaId(name), text: name })),
  ];
  return layout({
    name: REFERENCE.name,
    title: REFERENCE.label,
    headings,
    main: html`<h1>${REFERENCE.label}</h1>
${text(document.info.description)}
<p>For programs: <a href="${baseUrl}/api/openapi.json">openapi.json</a> (OpenAPI 3.1), of which this page is made.
Addresses begin with <code>${baseUrl}</code>.</p>
${groups.map(
  ([group, members = []]) => html`<h2 id="group-${group.toLowerCase()}">${group}</h2>
${text(document.tags.find(({ name }) => name === group)?.description)}
${members.map((endpoint) => operationView(endpoint, resolve))}`,
)}
<h2 id="records">Objects</h2>
${records.map(([name, schema]) => recordView(name, schema, resolve))}`,
  });
}

function endpoints({ paths }: DescribedDocument): Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

function recordView(name: string, schema: DescribedSchema, resolve: Resolve): Html {
  const id = schemaId(name);
  return html`<h3 id="${id}">${name} <a class="anchor" href="#${id}" aria-label="Link to: ${name}">#</a></h3>
${text(schema.description)}
${propertiesView(schema, resolve)}`;
}
