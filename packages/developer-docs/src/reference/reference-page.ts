import { type Html, html } from "@partner-connect/service-runtime/html";
import { layout } from "../layout.ts";
import { REFERENCE } from "../navigation.ts";
import { type ApiDocument, type Operation, type Resolve, resolver, type Schema } from "./api-document.ts";
import { propertiesView, text } from "./fields.view.ts";
import { type Endpoint, endpointId, operationView, routeOf } from "./operation.view.ts";
import { schemaId } from "./type.view.ts";

/** The reference: the OpenAPI document as a page. */
export function referencePage(document: ApiDocument, baseUrl: string): Html {
  const resolve = resolver(document);
  const groups = Object.entries(Object.groupBy(endpoints(document), groupOf));
  const records = objectSchemas(document);
  const headings = [
    ...groups.flatMap(([, members = []]) => members.map((one) => ({ id: endpointId(one), text: routeOf(one) }))),
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
  ([group, members = []]) => html`<h2 id="${groupId(group)}">${group}</h2>
${text(document.tags?.find(({ name }) => name === group)?.description)}
${members.map((endpoint) => operationView(endpoint, resolve))}`,
)}
<h2 id="records">Objects</h2>
${records.map(([name, schema]) => recordView(name, schema, resolve))}`,
  });
}

function endpoints(document: ApiDocument): Endpoint[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => ["get", "post", "put", "patch", "delete"].includes(method))
      .map(([method, operation]) => ({ method, path, operation: operation as Operation })),
  );
}

function groupOf({ path, operation }: Endpoint): string {
  return operation.tags?.[0] ?? (path.startsWith("/api/") ? "Survey data" : "Authorization");
}

function groupId(group: string): string {
  return `group-${group.toLowerCase().replace(/\W+/g, "-")}`;
}

function objectSchemas({ components }: ApiDocument): [string, Schema][] {
  const schemas = Object.entries((components?.["schemas"] ?? {}) as Record<string, Schema>);
  return schemas.filter(([, { properties }]) => properties !== undefined);
}

function recordView(name: string, schema: Schema, resolve: Resolve): Html {
  const id = schemaId(name);
  return html`<h3 id="${id}">${schema.title ?? name} <a class="anchor" href="#${id}" aria-label="Link to: ${name}">#</a></h3>
${text(schema.description)}
${propertiesView(schema, resolve)}`;
}
