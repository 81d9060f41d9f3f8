export { startTracing } from "./start-tracing.ts";
export { type Attributes, type RequestSpan, type Tracing, tracing, tracingOptions } from "./tracing.ts";
