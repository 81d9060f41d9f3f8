import type { DescribedDocument } from "../document/described-document.ts";
import { AUTHENTICATOR, SPEC } from "./authentication.ts";
import { streamSchema } from "./stream-schema.ts";

/** Of Airbyte's CDK: one that knows everything below. `refresh_request_headers` and `%_ms` are younger than 6.0.0. */
const VERSION = "6.51.0";

/** A time as the API shows and takes it; Airbyte's `%_ms` is three digits. */
const TIME_FORMAT = "%Y-%m-%dT%H:%M:%S.%_msZ";

/**
 * Airbyte reads nothing from a time that by its own clock is still to come. So much that clock may be behind; what comes twice is merged.
 */
const LOOKBACK = "PT1H";

const MAX_LIMIT = "1000";

const DEFINITIONS = {
  requester: {
    type: "HttpRequester",
    url_base: "{{ config['base_url'] }}",
    http_method: "GET",
    authenticator: AUTHENTICATOR,
    error_handler: {
      type: "DefaultErrorHandler",
      max_retries: 5,
      response_filters: [
        { type: "HttpResponseFilter", http_codes: [429], action: "RATE_LIMITED" },
        // 401: Airbyte takes an access token for good a moment longer than it is. It asks for another one before it tries again.
        { type: "HttpResponseFilter", http_codes: [401, 500, 502, 503, 504], action: "RETRY" },
        {
          type: "HttpResponseFilter",
          http_codes: [403],
          action: "FAIL",
          failure_type: "config_error",
          error_message: "The connection was revoked or is on hold, or may not read this. Connect the shop again.",
        },
      ],
      backoff_strategies: [{ type: "WaitTimeFromHeader", header: "retry-after" }],
    },
  },
  paginator: {
    type: "DefaultPaginator",
    page_token_option: { type: "RequestPath" },
    pagination_strategy: {
      type: "CursorPagination",
      cursor_value: "{{ response['next'] }}",
      stop_condition: "{{ not response['next'] }}",
    },
  },
  list: { type: "RecordSelector", extractor: { type: "DpathExtractor", field_path: ["data"] } },
  object: { type: "RecordSelector", extractor: { type: "DpathExtractor", field_path: [] } },
};

const ref = (name: keyof typeof DEFINITIONS) => ({ $ref: `#/definitions/${name}` });

interface Stream {
  readonly name: string;
  readonly component: string;
  readonly path: string;
  readonly primaryKey: string | readonly (readonly string[])[];
  readonly parameters?: Readonly<Record<string, string>>;
  /** The time by which only what is new is read. */
  readonly cursorField?: string;
  readonly isObject?: true;
}

const STREAMS: readonly Stream[] = [
  {
    name: "connection",
    component: "Connection",
    path: "/api/connection",
    primaryKey: [["shop", "id"]],
    isObject: true,
  },
  {
    name: "responses",
    component: "Response",
    path: "/api/responses",
    primaryKey: "id",
    parameters: { sort: "updated_at_asc", limit: MAX_LIMIT },
    cursorField: "updated_at",
  },
  {
    name: "deleted_responses",
    component: "DeletedResponse",
    path: "/api/deleted-responses",
    primaryKey: "id",
    parameters: { limit: MAX_LIMIT },
    cursorField: "deleted_at",
  },
  {
    name: "questions",
    component: "Question",
    path: "/api/questions",
    primaryKey: "id",
    parameters: { limit: MAX_LIMIT },
  },
];

/** The low-code manifest for Airbyte. @throws Error if the document lacks a path or a component that is read */
export function airbyteManifest(document: DescribedDocument): object {
  return {
    version: VERSION,
    type: "DeclarativeSource",
    description:
      "Survey responses of a shop. Delete what the stream deleted_responses names, unless it came again since.",
    check: { type: "CheckStream", stream_names: ["connection"] },
    definitions: DEFINITIONS,
    streams: STREAMS.map((stream) => describeStream(stream, document)),
    spec: SPEC,
  };
}

function describeStream(stream: Stream, document: DescribedDocument): object {
  const { name, component, path, primaryKey, parameters, cursorField, isObject } = stream;
  if (!document.paths[path]?.["get"]) throw new Error(`the document has no GET ${path}`);
  const requester = { ...ref("requester"), path, ...(parameters && { request_parameters: parameters }) };
  return {
    type: "DeclarativeStream",
    name,
    primary_key: primaryKey,
    retriever: {
      type: "SimpleRetriever",
      requester,
      record_selector: ref(isObject ? "object" : "list"),
      ...(!isObject && { paginator: ref("paginator") }),
    },
    ...(cursorField && { incremental_sync: sinceCursor(cursorField) }),
    schema_loader: { type: "InlineSchemaLoader", schema: streamSchema(document, component) },
  };
}

function sinceCursor(field: string): object {
  return {
    type: "DatetimeBasedCursor",
    cursor_field: field,
    datetime_format: TIME_FORMAT,
    cursor_datetime_formats: [TIME_FORMAT],
    start_datetime: { type: "MinMaxDatetime", datetime: "{{ config['start_date'] }}", datetime_format: TIME_FORMAT },
    start_time_option: { type: "RequestOption", inject_into: "request_parameter", field_name: `${field}_min` },
    lookback_window: LOOKBACK,
  };
}
