import type { Attributes as SpanAttributes } from "@opentelemetry/api";
import type { Attributes } from "../tracing.ts";

/** The attributes that have a value. */
export function present(attributes: Attributes): SpanAttributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
