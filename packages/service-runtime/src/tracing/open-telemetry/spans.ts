import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  type Link,
  ROOT_CONTEXT,
  type Attributes as SpanAttributes,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import type { Attributes, CallSpan, IncomingRequest, RequestSpan } from "../tracing.ts";

const propagator = new W3CTraceContextPropagator();

/** Attributes follow OpenTelemetry's conventions for HTTP, but for the URL, which may hold codes and states. */
export function beginRequest(
  tracer: Tracer,
  contexts: AsyncLocalStorageContextManager,
  { method, headers, isTrusted }: IncomingRequest,
): RequestSpan {
  const callers = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
  const parent = isTrusted ? callers : ROOT_CONTEXT;
  const attributes = { "http.request.method": method };
  const span = tracer.startSpan(
    method,
    { kind: SpanKind.SERVER, attributes, links: isTrusted ? [] : linksTo(trace.getSpanContext(callers)) },
    parent,
  );
  const context = trace.setSpan(parent, span);
  return {
    traceId: span.spanContext().traceId,
    within: (work) => contexts.with(context, work),
    headers() {
      const sent: Record<string, string> = {};
      propagator.inject(context, sent, defaultTextMapSetter);
      return sent;
    },
    end({ route, status, attributes }) {
      span.updateName(`${method} ${route}`);
      span.setAttributes({ "http.route": route, "http.response.status_code": status, ...present(attributes) });
      if (status >= 500) span.setAttribute("error.type", String(status)).setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Of a stranger's trace the ids alone: what else it carries is the stranger's to choose. */
function linksTo(callers: Link["context"] | undefined): Link[] {
  if (!callers) return [];
  const { traceId, spanId, traceFlags } = callers;
  return [{ context: { traceId, spanId, traceFlags } }];
}

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

export async function runTask<T>(
  tracer: Tracer,
  contexts: AsyncLocalStorageContextManager,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracer.startSpan(name, { attributes: present(attributes) }, ROOT_CONTEXT);
  return await contexts.with(trace.setSpan(ROOT_CONTEXT, span), work).finally(() => span.end());
}

/** A code of the store or of Node, or an HTTP status; never a message: that may hold values. */
export function kindOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  return String(code ?? name ?? "unknown");
}

function present(attributes: Attributes): SpanAttributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
