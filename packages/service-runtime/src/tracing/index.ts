export { startTracing } from "./start-tracing.ts";
export { type Attributes, type RequestSpan, type Tracing, type TracingOptions, tracing } from "./tracing.ts";
