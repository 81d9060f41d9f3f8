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

/** Settings of every service. */
export const SERVICE_SETTINGS = {
  HOST: text("0.0.0.0"),
  INTERNAL_PORT: port(),
  LOG_LEVEL: text("info"),
  /** The running commit, for the metrics; set by the image. */
  REVISION: text("unknown"),
  DATABASE_URL: secretUrl(storeUrl),
  DATABASE_PASSWORD: optional(secret),
  // Traces, in OpenTelemetry's variables. Its libraries read others themselves, such as OTEL_RESOURCE_ATTRIBUTES.
  /** An OTLP/HTTP collector, such as `http://collector:4318` (default: none, no traces). */
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(parsed(absoluteUrl)),
  /** Headers for the collector: `name=value,name=value`, percent-encoded (default: none). */
  OTEL_EXPORTER_OTLP_HEADERS: optional(secret),
  OTEL_SERVICE_NAME: optional(text()),
  /** The fraction of traces to sample. */
  OTEL_TRACES_SAMPLER_ARG: parsed(share, "1"),
};

/** Additional settings of services behind the gateway. */
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
