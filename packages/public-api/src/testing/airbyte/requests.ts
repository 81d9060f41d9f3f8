import {
  any,
  boolean,
  type Component,
  component,
  each,
  integer,
  listOf,
  mapOf,
  number,
  object,
  of,
  oneOf,
  PARAMETERS,
  string,
} from "./kind.ts";

const AUTHENTICATORS = of(
  "ApiKeyAuthenticator BasicHttpAuthenticator BearerAuthenticator OAuthAuthenticator JwtAuthenticator SessionTokenAuthenticator LegacySessionTokenAuthenticator CustomAuthenticator NoAuth RateLimitedMultipleTokenAuthenticator",
);

const REQUEST_OPTION = of("RequestOption");

/** What a request is made of: of the components, those. */
export const REQUESTS: Readonly<Record<string, Component>> = {
  HttpRequester: component(
    {},
    each(string, "url url_base path"),
    { http_method: oneOf("GET", "POST"), authenticator: any(AUTHENTICATORS, of("SelectiveAuthenticator")) },
    { error_handler: of("DefaultErrorHandler CompositeErrorHandler CustomErrorHandler"), use_cache: boolean },
    { request_parameters: any(string, mapOf(any(string, of("QueryProperties")))) },
    each(any(string, mapOf(string)), "request_headers request_body_data"),
    { request_body_json: any(string, object) },
    {
      request_body: of("RequestBodyPlainText RequestBodyUrlEncodedForm RequestBodyJsonObject RequestBodyGraphQL"),
    },
    { query_properties: of("QueryProperties"), fetch_properties_from_endpoint: of("PropertiesFromEndpoint") },
    PARAMETERS,
  ),
  SelectiveAuthenticator: component(
    { authenticators: mapOf(AUTHENTICATORS), authenticator_selection_path: listOf(string) },
    PARAMETERS,
  ),
  ApiKeyAuthenticator: component({}, each(string, "api_token header"), { inject_into: REQUEST_OPTION }, PARAMETERS),
  OAuthAuthenticator: component(
    {},
    each(string, "token_refresh_endpoint client_id client_secret refresh_token grant_type access_token_value"),
    each(string, "client_id_name client_secret_name refresh_token_name grant_type_name access_token_name"),
    each(string, "expires_in_name token_expiry_date token_expiry_date_format refresh_token_error_key"),
    each(object, "refresh_request_body refresh_request_headers refresh_token_updater"),
    each(boolean, "send_refresh_request_as_query_params use_profile_assertion"),
    each(listOf(string), "scopes refresh_token_error_values"),
    { refresh_token_error_status_codes: listOf(integer), profile_assertion: of("JwtAuthenticator") },
    PARAMETERS,
  ),
  RequestOption: component(
    { inject_into: oneOf("request_parameter", "header", "body_data", "body_json") },
    { field_name: string, field_path: listOf(string) },
  ),
  RequestPath: component({}),
  DefaultErrorHandler: component(
    {},
    { max_retries: any(integer, string), response_filters: listOf(of("HttpResponseFilter")) },
    {
      backoff_strategies: listOf(
        of(
          "ConstantBackoffStrategy ExponentialBackoffStrategy WaitTimeFromHeader WaitUntilTimeFromHeader CustomBackoffStrategy",
        ),
      ),
    },
    PARAMETERS,
  ),
  HttpResponseFilter: component(
    {},
    {
      // REFRESH_TOKEN_THEN_RETRY and REDUCE_PAGE_SIZE too, but younger than the manifest's version, which refuses them.
      action: oneOf("SUCCESS", "FAIL", "RETRY", "IGNORE", "RESET_PAGINATION", "RATE_LIMITED"),
      failure_type: oneOf("system_error", "config_error", "transient_error"),
      http_codes: listOf(integer),
    },
    each(string, "error_message error_message_contains predicate"),
    PARAMETERS,
  ),
  WaitTimeFromHeader: component(
    { header: string },
    { regex: string, max_waiting_time_in_seconds: any(number, string) },
    PARAMETERS,
  ),
  DefaultPaginator: component(
    { pagination_strategy: of("PageIncrement OffsetIncrement CursorPagination CustomPaginationStrategy") },
    { page_size_option: REQUEST_OPTION, page_token_option: of("RequestOption RequestPath") },
    PARAMETERS,
  ),
  CursorPagination: component(
    { cursor_value: string },
    { page_size: any(integer, string), stop_condition: string },
    PARAMETERS,
  ),
};
