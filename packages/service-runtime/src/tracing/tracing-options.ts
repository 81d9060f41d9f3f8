export interface TracingOptions {
  /** Base URL of a collector that speaks OTLP by HTTP; null: no traces. */
  readonly endpoint: string | null;
  /** Of each request to the collector, as `name=value,name=value`, percent-encoded. Secret. */
  readonly headers: string;
  /** `service.name` of every span. */
  readonly serviceName: string;
  /** The part of the traces that is kept, from 0 to 1. A request that arrives with a trace goes by that trace's decision. */
  readonly share: number;
  /** Milliseconds that a span waits for others, to be sent with them. */
  readonly sendAfterMs: number;
}

/** Takes what becomes of the sending: one record when it begins to fail, and one when it works again. */
export interface TracingLog {
  info(message: string): void;
  warn(fields: object, message: string): void;
}
