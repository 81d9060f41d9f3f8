import { type Context, SpanKind, SpanStatusCode, type Tracer } from "@opentelemetry/api";
import type { Attributes, CallSpan } from "../tracing.ts";
import { present } from "./present.ts";

export function beginCall(tracer: Tracer, context: Context, name: string, attributes: Attributes): CallSpan {
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: present(attributes) }, context);
  return {
    end(error) {
      if (error !== undefined) {
        span.setAttribute("error.type", kindOf(error)).setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

/** A code of the store or of Node, never a message: that may hold values. */
function kindOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  return String(code ?? name ?? "unknown");
}
