import { redisUrl } from "../redis/cluster-address.ts";
import {
  absoluteUrl,
  commaSeparated,
  integer,
  optional,
  parsed,
  port,
  secret,
  secretUrl,
  share,
  storeUrl,
  text,
} from "./variable-forms.ts";

/** Every service has these. */
export const SERVICE_SETTINGS = {
  HOST: text("0.0.0.0"),
  /** Health and metrics. */
  INTERNAL_PORT: port(),
  LOG_LEVEL: text("info"),
  /** The commit that runs, for the metrics; the image sets it. */
  REVISION: text("unknown"),
  DATABASE_URL: secretUrl(storeUrl),
  DATABASE_PASSWORD: optional(secret),
  // Traces, in OpenTelemetry's variables. Its libraries read others themselves, such as OTEL_RESOURCE_ATTRIBUTES.
  /** A collector that speaks OTLP by HTTP, such as `http://collector:4318` (default: none, no traces). */
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(parsed(absoluteUrl)),
  /** Of each request to the collector, as `name=value,name=value`, percent-encoded (default: none). */
  OTEL_EXPORTER_OTLP_HEADERS: optional(secret),
  OTEL_SERVICE_NAME: optional(text()),
  /** Milliseconds that a span waits for others, to be sent with them. */
  OTEL_BSP_SCHEDULE_DELAY: integer(2000),
  /** The share of traces that is kept. */
  OTEL_TRACES_SAMPLER_ARG: parsed(share, "1"),
};

/** Every service that the gateway calls has these as well. */
export const SERVER_SETTINGS = {
  ...SERVICE_SETTINGS,
  PORT: port(),
  /** CIDR list of the gateway's addresses. */
  TRUSTED_PROXIES: parsed(commaSeparated, ""),
  /** Pause between 'not ready' and the close. */
  DRAIN_SECONDS: integer(5),
  REDIS_URL: secretUrl(redisUrl),
  REDIS_PASSWORD: optional(secret),
};
