import { hostname } from "node:os";
import { trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { type ExportResult, ExportResultCode, parseKeyPairsIntoRecord } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Tracing, TracingLog, TracingOptions } from "../tracing.ts";
import { beginCall, beginRequest, kindOf, runTask } from "./spans.ts";

/** For the spans of the last seconds, when the process ends. */
const CLOSE_LIMIT_MS = 2000;
/** Spans that wait to be sent. More are dropped: 4,096 of them take some 8 MB. */
const MOST_WAITING = 4096;

/** By the SDK, with spans made by hand: automatic instrumentation patches modules as they load, which ES modules don't allow. */
export function openTelemetry(options: TracingOptions & CollectorOptions, log: TracingLog): Tracing {
  const contexts = new AsyncLocalStorageContextManager().enable();
  const provider = new TracerProvider({
    // OTEL_RESOURCE_ATTRIBUTES may add to them.
    resource: resourceFromAttributes({
      "service.namespace": "partner-connect",
      "service.instance.id": `${hostname()}:${process.pid}`,
    })
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes({ "service.name": options.serviceName })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.share) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: collector(options, log),
        maxQueueSize: MOST_WAITING,
        scheduledDelayMillis: options.sendAfterMs,
      }),
    ],
  });
  const tracer = provider.getTracer("partner-connect");
  return {
    request: (request) => beginRequest(tracer, contexts, request),
    call(name, attributes) {
      const context = contexts.active();
      return trace.getSpan(context) ? beginCall(tracer, context, name, attributes) : null;
    },
    task: (name, attributes, work) => runTask(tracer, contexts, name, attributes, work),
    async close() {
      const limit = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_LIMIT_MS).unref());
      // A collector that is away has been logged.
      await Promise.race([provider.shutdown().catch(() => {}), limit]);
    },
  };
}

interface CollectorOptions {
  readonly endpoint: string;
  readonly headers: string;
  /** Milliseconds for one batch, with its repetitions (default: 5000). The next batch waits meanwhile. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5000;

/** Sends spans to a collector, by OTLP in HTTP and protobuf. What can't be sent is dropped; the log says it once. */
export function collector(
  { endpoint, headers, timeoutMs = TIMEOUT_MS }: CollectorOptions,
  log: TracingLog,
): SpanExporter {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/traces`;
  const exporter = new OTLPTraceExporter({
    url: url.href,
    headers: parseKeyPairsIntoRecord(headers),
    timeoutMillis: timeoutMs,
  });
  let isFailing = false;
  const tell = ({ code, error }: ExportResult): void => {
    const failed = code !== ExportResultCode.SUCCESS;
    if (failed === isFailing) return;
    isFailing = failed;
    // The host alone: the URL may hold a key.
    if (failed) log.warn({ collector: url.host, reason: kindOf(error) }, "traces can't be sent, and are dropped");
    else log.info("traces are sent again");
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        tell(result);
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}
