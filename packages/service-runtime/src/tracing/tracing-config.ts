import type { Environment } from "../environment/environment-variables.ts";
import type { TracingOptions } from "./index.ts";

/**
 * What turns traces on, in the variables that OpenTelemetry names:
 * - OTEL_EXPORTER_OTLP_ENDPOINT: a collector that speaks OTLP by HTTP, such as `http://collector:4318` (default: none, no traces).
 * - OTEL_EXPORTER_OTLP_HEADERS: sent along with them, such as `api-key=…`; they may be in a file that OTEL_EXPORTER_OTLP_HEADERS_FILE names (default: none).
 * - OTEL_SERVICE_NAME (default: `name`).
 * - OTEL_TRACES_SAMPLER_ARG: the part of the traces that is kept, from 0 to 1 (default: 1).
 * - OTEL_BSP_SCHEDULE_DELAY: milliseconds after which spans are sent (default: 2000).
 * OpenTelemetry's libraries read OTEL_RESOURCE_ATTRIBUTES, and what concerns TLS and compression to the collector, themselves.
 */
export function tracingOptions(env: Environment, name: string): TracingOptions {
  return {
    endpoint: env.isSet("OTEL_EXPORTER_OTLP_ENDPOINT") ? env.url("OTEL_EXPORTER_OTLP_ENDPOINT") : null,
    headers: env.optionalSecret("OTEL_EXPORTER_OTLP_HEADERS") ?? "",
    serviceName: env.string("OTEL_SERVICE_NAME", name),
    sendAfterMs: env.integer("OTEL_BSP_SCHEDULE_DELAY", { fallback: 2000 }),
    share: env.share("OTEL_TRACES_SAMPLER_ARG", 1),
  };
}
