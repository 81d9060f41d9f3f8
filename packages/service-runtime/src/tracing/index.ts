export { startTracing } from "./start-tracing.ts";
export { type Attributes, type CallSpan, type RequestSpan, type Tracing, tracing } from "./tracing.ts";
export type { TracingLog, TracingOptions } from "./tracing-options.ts";
