import type { DescribedDocument, DescribedSchema } from "../document/described-document.ts";

/** A component's schema as Airbyte has it: JSON Schema draft 7, open as answers are. @throws Error if the document has no such component */
export function streamSchema({ components }: DescribedDocument, component: string): object {
  const schema = components.schemas[component];
  if (!schema) throw new Error(`the document has no ${component}`);
  return { $schema: "http://json-schema.org/draft-07/schema#", ...asAirbyte(schema) };
}

function asAirbyte({ type, description, format, properties, items }: DescribedSchema): object {
  return {
    type,
    ...(description && { description }),
    ...(format === "date-time" && { format, airbyte_type: "timestamp_with_timezone" }),
    ...(properties && { additionalProperties: true, properties: mapValues(properties) }),
    ...(items && { items: asAirbyte(items) }),
  };
}

function mapValues(properties: Readonly<Record<string, DescribedSchema>>): object {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, asAirbyte(property)]));
}
