import {
  any,
  boolean,
  type Component,
  component,
  each,
  integer,
  listOf,
  object,
  of,
  oneOf,
  PARAMETERS,
  string,
} from "./kind.ts";
import { REQUESTS } from "./requests.ts";

const SCHEMA_LOADERS = of("InlineSchemaLoader DynamicSchemaLoader JsonFileSchemaLoader CustomSchemaLoader");

const TRANSFORMATIONS = of(
  "AddFields RemoveFields KeysToLower KeysToSnakeCase FlattenFields DpathFlattenFields KeysReplace CustomTransformation",
);

const PARTITION_ROUTERS = of(
  "SubstreamPartitionRouter ListPartitionRouter GroupingPartitionRouter UnionPartitionRouter CustomPartitionRouter",
);

const MIN_MAX_DATETIME = any(of("MinMaxDatetime"), string);

/**
 * Every component that the manifest has, with every property that there is and what it may be: by the declarative component schema of
 * airbytehq/airbyte-python-cdk at 141ded67dc23d79abdbb5bda03b7bf144ef5bc88. Airbyte itself passes over a property that it doesn't know.
 */
export const COMPONENTS: Readonly<Record<string, Component>> = {
  DeclarativeSource: component(
    {
      check: of("CheckStream CheckDynamicStream"),
      version: string,
      // These, or dynamic_streams, which ours has not.
      streams: listOf(of("ConditionalStreams DeclarativeStream StateDelegatingStream")),
    },
    { spec: of("Spec"), description: string, max_concurrent_async_job_count: any(integer, string) },
    { dynamic_streams: listOf(of("DynamicDeclarativeStream")), api_budget: of("HTTPAPIBudget") },
    { concurrency_level: of("ConcurrencyLevel") },
    each(object, "schemas definitions stream_groups metadata"),
  ),
  CheckStream: component(
    {},
    { stream_names: listOf(string), dynamic_streams_check_configs: listOf(of("DynamicStreamCheckConfig")) },
    { config_overrides: object },
  ),
  DeclarativeStream: component(
    { retriever: of("SimpleRetriever AsyncRetriever CustomRetriever") },
    { name: string, incremental_sync: of("DatetimeBasedCursor IncrementingCountCursor") },
    { primary_key: any(string, listOf(string), listOf(listOf(string))), transformations: listOf(TRANSFORMATIONS) },
    { schema_loader: any(SCHEMA_LOADERS, listOf(SCHEMA_LOADERS)), file_uploader: of("FileUploader") },
    { state_migrations: listOf(of("LegacyToPerPartitionStateMigration CustomStateMigration")) },
    PARAMETERS,
  ),
  SimpleRetriever: component(
    { record_selector: of("RecordSelector"), requester: of("HttpRequester CustomRequester") },
    { paginator: of("DefaultPaginator NoPagination"), pagination_reset: of("PaginationReset") },
    { page_size_reduction: of("PageSizeReduction"), ignore_stream_slicer_parameters_on_paginated_requests: boolean },
    { partition_router: any(PARTITION_ROUTERS, listOf(PARTITION_ROUTERS)) },
    {
      decoder: of(
        "JsonDecoder JsonItemsDecoder XmlDecoder CsvDecoder JsonlDecoder GzipDecoder IterableDecoder ZipfileDecoder CustomDecoder",
      ),
    },
    PARAMETERS,
  ),
  RecordSelector: component(
    { extractor: of("DpathExtractor CustomRecordExtractor") },
    { record_filter: of("RecordFilter CustomRecordFilter"), transform_before_filtering: boolean },
    { schema_normalization: any(oneOf("Default", "None"), of("CustomSchemaNormalization")) },
    PARAMETERS,
  ),
  DpathExtractor: component({ field_path: listOf(string) }, { record_expander: of("RecordExpander") }, PARAMETERS),
  DatetimeBasedCursor: component(
    { cursor_field: string, datetime_format: string, start_datetime: MIN_MAX_DATETIME },
    { end_datetime: MIN_MAX_DATETIME, cursor_datetime_formats: listOf(string), clamping: object },
    each(of("RequestOption"), "start_time_option end_time_option"),
    each(string, "lookback_window step cursor_granularity partition_field_start partition_field_end"),
    each(boolean, "is_data_feed is_client_side_incremental is_compare_strictly global_substream_cursor"),
    each(boolean, "allow_catalog_defined_cursor_field"),
    PARAMETERS,
  ),
  MinMaxDatetime: component(
    { datetime: string },
    each(string, "datetime_format max_datetime min_datetime"),
    PARAMETERS,
  ),
  InlineSchemaLoader: component({}, { schema: object }),
  Spec: component(
    { connection_specification: object },
    { documentation_url: string, advanced_auth: object, config_normalization_rules: object },
  ),
  ...REQUESTS,
};
