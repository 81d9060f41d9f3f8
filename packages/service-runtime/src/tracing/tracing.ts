import {
  type Attributes,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ServiceEnvironment } from "../environment/variable-forms.ts";
import { namedFacts } from "../http/request-record.ts";

export type TracingSettings = Pick<
  ServiceEnvironment,
  Extract<keyof ServiceEnvironment, `OTEL_${string}`>
>;

/** No-ops until `startTracing` has loaded the SDK. */
const tracer = trace.getTracer("partner-connect");

/**
 * Traces work outside of requests. `attributes` must not contain secrets, URLs or a statement's
 * values.
 */
export async function traceTask<T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  return await tracer.startActiveSpan(name, { root: true, attributes }, (span) =>
    work().finally(() => span.end()),
  );
}

/**
 * Traces a call to another system until `answer` settles. Creates no span outside of a request or
 * task.
 */
export function traceCall(name: () => string, attributes: Attributes, answer: Promise<unknown>) {
  if (!trace.getActiveSpan()) return;
  const span = tracer.startSpan(name(), { kind: SpanKind.CLIENT, attributes });
  // Uses `Promise.prototype.then`, because a query's own `then` would execute it.
  void Promise.prototype.then.call(
    answer,
    () => span.end(),
    (error: unknown) => fail(span, kindOf(error)).end(),
  );
}

/**
 * An error code of the store or Node, or an HTTP status; never a message, which may contain values.
 */
export function kindOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  return String(code ?? name ?? "unknown");
}

const fail = (span: Span, type: string): Span =>
  span.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR });

const spans = new WeakMap<FastifyRequest, Span>();

/**
 * Starts a trace for each request, regardless of its caller's trace. Every log record has its
 * `trace_id`. Attributes follow OpenTelemetry's HTTP conventions, except for the URL, which may
 * contain codes and states.
 */
export function traceRequests(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    const attributes = { "http.request.method": request.method };
    const options = { kind: SpanKind.SERVER, attributes };
    const span = tracer.startSpan(request.method, options, ROOT_CONTEXT);
    if (!span.isRecording()) return done();
    spans.set(request, span);
    request.log = request.log.child({ trace_id: span.spanContext().traceId });
    reply.log = request.log;
    // onResponse does not run for an aborted response.
    reply.raw.once("close", () => {
      const route = request.routeOptions.url ?? "none";
      const status = reply.statusCode;
      span.updateName(`${request.method} ${route}`);
      span.setAttributes({
        "http.route": route,
        "http.response.status_code": status,
        ...attributesOf(request),
      });
      if (!reply.raw.writableFinished) span.setAttribute("partner_connect.incomplete", true);
      if (status >= 500) fail(span, String(status));
      span.end();
    });
    context.with(trace.setSpan(ROOT_CONTEXT, span), done);
  });
  // A body is read in socket events, which have no request context.
  app.addHook("preValidation", (request, _reply, done) => {
    const span = spans.get(request);
    if (span) context.with(trace.setSpan(ROOT_CONTEXT, span), done);
    else done();
  });
}

/** Fields of the log record that neither name a person nor contain what the caller sent. */
const TRACED = [
  ...["client_id", "shop_id", "connection_id", "api_key_id", "product_key_id"],
  ...["grant_type", "outcome", "reason", "limit"],
];

function attributesOf(request: FastifyRequest): Attributes {
  const fields: Readonly<Record<string, unknown>> = {
    request_id: request.id,
    ...namedFacts(request),
  };
  return Object.fromEntries(
    ["request_id", ...TRACED].map((name) => [`partner_connect.${name}`, fields[name] as string]),
  );
}
