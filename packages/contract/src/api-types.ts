import { readFileSync } from "node:fs";
import openapiTS, { astToString, NULL, stringToAST, tsLiteral, tsUnion } from "openapi-typescript";
import { DOCUMENT_FILE } from "./openapi/document.ts";

export const API_TYPES_FILE = new URL("../../partner-sdk/src/api-types.ts", import.meta.url);

/** The components for which the SDK has types. */
const COMPONENTS = [
  ...["SurveyResponse", "Question", "DeletedResponse", "NewSource", "Source", "Connection"],
  ...["PartnerConnection", "Change", "ChangesPage"],
];

const HEADER =
  "// Made by `pnpm openapi` from packages/contract/openapi.json: change the schemas of the routes, not this file.\n";

/** Generates the SDK's record types. An extensible enum takes any string, but suggests values. */
export async function generateApiTypes(): Promise<string> {
  const { openapi, info, components } = JSON.parse(readFileSync(DOCUMENT_FILE, "utf8"));
  const schemas = Object.fromEntries(COMPONENTS.map((name) => [name, components.schemas[name]]));
  const [other] = stringToAST("type Other = string & {}") as {
    readonly type: ReturnType<typeof tsLiteral>;
  }[];
  if (!other) throw new Error("no type");
  const types = await openapiTS(
    { openapi, info, paths: {}, components: { schemas } },
    {
      immutable: true,
      rootTypes: true,
      rootTypesNoSchemaPrefix: true,
      transform(schema) {
        const values: readonly string[] | undefined = schema["x-extensible-enum"];
        const isNullable = [schema.type].flat().includes("null");
        return (
          values && tsUnion([...values.map(tsLiteral), other.type, ...(isNullable ? [NULL] : [])])
        );
      },
    },
  );
  return `${HEADER}\n${trimTypes(astToString(types))}`;
}

/** Removes all but the records, and puts each field's description on one line. */
function trimTypes(source: string): string {
  return source
    .replaceAll(/^export type (paths|webhooks|\$defs|operations) .*\n|^ {4}\w+: never;\n/gm, "")
    .replaceAll(/^ +\* Format: .*\n|^ +\* @example[\s\S]*?(?=^ +\*\/)/gm, "")
    .replaceAll(/\/\*\*(?:\n +\*)? (?:@description )?(.*?)(?:\n +)? ?\*\//g, "/** $1 */");
}
