import {
  absoluteUrl,
  integer,
  optional,
  parsed,
  secret,
  share,
  text,
  type Values,
} from "../environment/variable-forms.ts";

/** What turns traces on, in OpenTelemetry's variables. Its libraries read others themselves, such as OTEL_RESOURCE_ATTRIBUTES. */
export const TRACING_SETTINGS = {
  /** A collector that speaks OTLP by HTTP, such as `http://collector:4318` (default: none, no traces). */
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(parsed(absoluteUrl)),
  /** Of each request to the collector, as `name=value,name=value`, percent-encoded (default: none). */
  OTEL_EXPORTER_OTLP_HEADERS: optional(secret),
  OTEL_SERVICE_NAME: optional(text()),
  /** Milliseconds that a span waits for others, to be sent with them. */
  OTEL_BSP_SCHEDULE_DELAY: integer(2000),
  /** The share of traces that is kept. A request that arrives with a trace goes by that trace's decision. */
  OTEL_TRACES_SAMPLER_ARG: parsed(share, "1"),
};

export type TracingOptions = Readonly<ReturnType<typeof tracingOptions>>;

export function tracingOptions(env: Values<typeof TRACING_SETTINGS>, name: string) {
  return {
    endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    headers: env.OTEL_EXPORTER_OTLP_HEADERS ?? "",
    serviceName: env.OTEL_SERVICE_NAME ?? name,
    sendAfterMs: env.OTEL_BSP_SCHEDULE_DELAY,
    share: env.OTEL_TRACES_SAMPLER_ARG,
  };
}

export interface TracingLog {
  info(message: string): void;
  warn(fields: object, message: string): void;
}

/** Never a secret, a URL, or a value of a statement. What is undefined is left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface IncomingRequest {
  readonly method: string;
  /** As they came: of them `traceparent` and `tracestate` are read (W3C Trace Context). */
  readonly headers: Readonly<Record<string, unknown>>;
  /** Whether the request's own trace is continued. That of a stranger is only linked. */
  readonly isTrusted: boolean;
}

export interface RequestSpan {
  readonly traceId: string;
  /** Runs `work`: the calls that follow from it are parts of this span. */
  within<T>(work: () => T): T;
  headers(): Readonly<Record<string, string>>;
  end(answer: { readonly route: string; readonly status: number; readonly attributes: Attributes }): void;
}

export interface CallSpan {
  end(error?: unknown): void;
}

export interface Tracing {
  request(request: IncomingRequest): RequestSpan;
  /** Null outside of a request or task: the rest of what a process does for itself has no trace. */
  call(name: string, attributes: Attributes): CallSpan | null;
  /** A trace of work that no request began: the calls that follow from it are parts of it. */
  task<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Sends what was not sent yet, for two seconds at most. */
  close(): Promise<void>;
}

let current: Tracing | null = null;

/** Null where traces are off, which is the default. Then there is nothing more to do, and nothing is loaded. */
export function tracing(): Tracing | null {
  return current;
}

export function setTracing(tracing: Tracing | null): void {
  current = tracing;
}
