import { hostname } from "node:os";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { ExportResultCode, parseKeyPairsIntoRecord } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { kindOf, type TracingLog, type TracingSettings } from "./tracing.ts";

/** For the spans of the last seconds, when the process ends. */
const CLOSE_LIMIT_MS = 2000;
/** Milliseconds for one batch, with its repetitions. The next batch waits meanwhile. */
const SEND_MS = 5000;
/** Spans that wait to be sent. More are dropped: 4,096 of them take some 8 MB. */
const MOST_WAITING = 4096;

type SdkSettings = TracingSettings & { readonly OTEL_EXPORTER_OTLP_ENDPOINT: string };

/** Connects OpenTelemetry's interfaces to its SDK, once a process. @returns its close: what was not sent yet goes out */
export function startSdk(env: SdkSettings, log: TracingLog): () => Promise<void> {
  const provider = new TracerProvider({
    // OTEL_RESOURCE_ATTRIBUTES may add to them.
    resource: resourceFromAttributes({
      "service.namespace": "partner-connect",
      "service.instance.id": `${hostname()}:${process.pid}`,
    })
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes({ "service.name": env.OTEL_SERVICE_NAME })),
    sampler: new TraceIdRatioBasedSampler(env.OTEL_TRACES_SAMPLER_ARG),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: collector(env.OTEL_EXPORTER_OTLP_ENDPOINT, env.OTEL_EXPORTER_OTLP_HEADERS, log),
        maxQueueSize: MOST_WAITING,
        scheduledDelayMillis: env.OTEL_BSP_SCHEDULE_DELAY,
      }),
    ],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return async () => {
    const limit = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_LIMIT_MS).unref());
    // A collector that is away has been logged.
    await Promise.race([provider.shutdown().catch(() => {}), limit]);
  };
}

/** Sends spans by OTLP in HTTP and protobuf. What can't be sent is dropped; the log says it once. */
export function collector(endpoint: string, headers = "", log: TracingLog): SpanExporter {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/traces`;
  const exporter = new OTLPTraceExporter({
    url: url.href,
    headers: parseKeyPairsIntoRecord(headers),
    timeoutMillis: SEND_MS,
  });
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        // The host only: the URL may hold a key.
        if (failed && !isFailing) {
          log.warn({ collector: url.host, reason: kindOf(result.error) }, "traces can't be sent, and are dropped");
        } else if (!failed && isFailing) log.info("traces are sent again");
        isFailing = failed;
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}
