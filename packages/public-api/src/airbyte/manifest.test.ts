import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

const manifest = parse(readFileSync(new URL("../../airbyte.yaml", import.meta.url), "utf8"));

/**
 * The components that the manifest may have: what each requires, and what else it may have. By Airbyte's declarative component schema, of
 * which this is the part that matters here.
 */
const COMPONENTS: Readonly<Record<string, readonly [required: string, optional: string]>> = {
  DeclarativeSource: ["type version check streams", "definitions spec description"],
  CheckStream: ["type", "stream_names"],
  DeclarativeStream: ["type retriever", "name primary_key incremental_sync schema_loader"],
  SimpleRetriever: ["type requester record_selector", "paginator"],
  HttpRequester: ["type url_base", "path http_method authenticator error_handler request_parameters"],
  SelectiveAuthenticator: ["type authenticators authenticator_selection_path", ""],
  ApiKeyAuthenticator: ["type", "api_token inject_into"],
  OAuthAuthenticator: [
    "type",
    "token_refresh_endpoint client_id client_secret refresh_token grant_type refresh_request_headers",
  ],
  RequestOption: ["type inject_into", "field_name"],
  DefaultErrorHandler: ["type", "max_retries response_filters backoff_strategies"],
  HttpResponseFilter: ["type", "http_codes action failure_type error_message"],
  WaitTimeFromHeader: ["type header", ""],
  RecordSelector: ["type extractor", ""],
  DpathExtractor: ["type field_path", ""],
  DefaultPaginator: ["type pagination_strategy", "page_token_option"],
  RequestPath: ["type", ""],
  CursorPagination: ["type cursor_value", "stop_condition"],
  DatetimeBasedCursor: [
    "type cursor_field datetime_format start_datetime",
    "cursor_datetime_formats start_time_option lookback_window",
  ],
  MinMaxDatetime: ["type datetime", "datetime_format"],
  InlineSchemaLoader: ["type", "schema"],
  Spec: ["type connection_specification", ""],
};

type Json = Readonly<Record<string, unknown>>;

/** What differs from the table, in a component and all inside of it. Schemas of records and of the configuration are no components. */
function problemsOf(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((inner, index) => problemsOf(inner, `${path}[${index}]`));
  if (typeof value !== "object" || value === null) return [];
  const { $ref, ...own } = value as Json;
  const referred = typeof $ref === "string" ? (manifest.definitions[$ref.split("/")[2] ?? ""] as Json) : {};
  if ($ref !== undefined && !referred) return [`${path}: ${$ref} is not there`];
  const component: Json = { ...referred, ...own };
  const { type } = component;
  const [required, optional] = COMPONENTS[String(type)] ?? [];
  if (typeof type === "string" && required === undefined) return [`${path}: there is no ${type}`];
  const names = new Set(Object.keys(component));
  const missing = (required ?? "").split(" ").filter((name) => name !== "" && !names.has(name));
  const allowed = `${required} ${optional}`.split(" ");
  const unknown = required === undefined ? [] : [...names].filter((name) => !allowed.includes(name));
  return [
    ...missing.map((name) => `${path}: ${name} is missing`),
    ...unknown.map((name) => `${path}: ${name} is unknown`),
    ...Object.entries(component)
      .filter(([name]) => name !== "schema" && name !== "connection_specification")
      .flatMap(([name, inner]) => problemsOf(inner, `${path}.${name}`)),
  ];
}

test("the Airbyte manifest has components that there are, each with what it requires and nothing else [tools.airbyte]", () => {
  expect(problemsOf(manifest, "manifest")).toEqual([]);
  expect(problemsOf({ type: "CursorPagination", cursor: "x" }, "x")).toEqual([
    "x: cursor_value is missing",
    "x: cursor is unknown",
  ]);
});

test("only the two fields that users are asked for are secrets, beside the API key [tools.airbyte]", () => {
  const [key, connection] = manifest.spec.connection_specification.properties.credentials.oneOf;
  const secrets = { ...key.properties, ...connection.properties } as Record<string, { airbyte_secret?: boolean }>;
  const names = Object.entries(secrets).flatMap(([name, { airbyte_secret }]) => (airbyte_secret ? [name] : []));
  expect(names).toEqual(["api_key", "client_secret", "refresh_token"]);
});
