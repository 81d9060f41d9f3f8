import type { DescribedDocument } from "@partner-connect/public-api/document";
import { renderMarkdown } from "../guide/markdown.ts";
import { layout } from "../layout.ts";
import { type Group, pathOf, REFERENCE } from "../navigation.ts";
import type { DocsPage } from "../page.ts";
import { type EndpointGroup, endpointGroups, OBJECTS_PAGE, pageOf } from "./endpoints.ts";
import { filled, objectLink, propertiesTable } from "./fields-text.ts";
import { operationText } from "./operation-text.ts";
import { resolver } from "./resolver.ts";

/** An index, a page for each operation, and one of all objects. */
export function referencePages(document: () => DescribedDocument): DocsPage[] {
  const groups = endpointGroups(document());
  const chapter = chapterOf(groups);
  const page = (name: string, text: () => string): DocsPage => ({
    name,
    markdown: text,
    html() {
      const { title, body, headings } = renderMarkdown(text());
      return layout({ name, title, headings, main: body, chapter });
    },
  });
  return [
    page(REFERENCE.name, () => indexText(document(), groups)),
    ...groups.flatMap(({ endpoints }) =>
      endpoints.map((endpoint) => page(pageOf(endpoint), () => operationText(endpoint, resolver(document())))),
    ),
    page(OBJECTS_PAGE, () => objectsText(document())),
  ];
}

function chapterOf(groups: readonly EndpointGroup[]): Group[] {
  const objects = { heading: "Objects", entries: [{ name: OBJECTS_PAGE, label: "All objects" }] };
  return [
    ...groups.map(({ heading, endpoints }) => ({
      heading,
      entries: endpoints.map((endpoint) => ({ name: pageOf(endpoint), label: endpoint.title })),
    })),
    objects,
  ];
}

/** An operation and an object keep the fragments by which they are linked to from elsewhere. */
function indexText({ info, components }: DescribedDocument, groups: readonly EndpointGroup[]): string {
  const lists = groups.flatMap(({ heading, description, endpoints }) => [
    `## ${heading}`,
    description,
    endpoints
      .map((endpoint) => {
        const { method, path, title, operation } = endpoint;
        return `- <a id="${operation.operationId}"></a>[${title}](${pathOf(pageOf(endpoint))}) \`${method} ${path}\``;
      })
      .join("\n"),
  ]);
  const objects = objectsOf(components).map(([name]) => `<a id="schema-${name}"></a>${objectLink(name)}`);
  return [
    `# ${REFERENCE.label}`,
    "Every address begins with `{base_url}`. These pages are made of [openapi.json]({base_url}/api/openapi.json) (OpenAPI 3.1), which programs can read.",
    ...lists,
    "## Objects",
    objects.join(", "),
    "## What holds everywhere",
    info.description,
  ].join("\n\n");
}

function objectsText(document: DescribedDocument): string {
  const resolve = resolver(document);
  const objects = objectsOf(document.components).flatMap(([name, schema]) =>
    filled([`## ${name}`, schema.description, propertiesTable(schema, resolve)]),
  );
  const headers = Object.entries(document.components.headers).map(
    ([name, { description }]) => `- \`${name}\`: ${description}`,
  );
  return ["# Objects", ...objects, "## Headers", headers.join("\n")].join("\n\n");
}

function objectsOf({ schemas }: DescribedDocument["components"]) {
  return Object.entries(schemas).filter(([, { properties }]) => properties !== undefined);
}
