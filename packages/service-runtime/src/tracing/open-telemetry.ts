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
import type { Logger } from "../logging/logger.ts";
import { kindOf, type TracingSettings } from "./tracing.ts";

/** Milliseconds to wait for the last spans to be sent when the process ends. */
const CLOSE_LIMIT_MS = 2000;
/** Milliseconds between exports. */
const EXPORT_MS = 2000;
/** Milliseconds for one batch, including retries. */
const SEND_MS = 5000;
/** Queued spans; more are dropped. 4,096 take some 8 MB. */
const MOST_WAITING = 4096;

type SdkSettings = TracingSettings & { readonly OTEL_EXPORTER_OTLP_ENDPOINT: string };

/**
 * Starts OpenTelemetry's SDK, once per process. @returns its close, which sends the remaining spans
 */
export function startSdk(env: SdkSettings, logger: Logger): () => Promise<void> {
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
        exporter: collector(
          env.OTEL_EXPORTER_OTLP_ENDPOINT,
          env.OTEL_EXPORTER_OTLP_HEADERS,
          logger,
        ),
        maxQueueSize: MOST_WAITING,
        scheduledDelayMillis: EXPORT_MS,
      }),
    ],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return async () => {
    const limit = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_LIMIT_MS).unref());
    // An unreachable collector was logged before.
    await Promise.race([provider.shutdown().catch(() => {}), limit]);
  };
}

/**
 * Sends spans as OTLP/HTTP protobuf. Spans that can't be sent are dropped, which is logged once.
 */
export function collector(endpoint: string, headers = "", logger: Logger): SpanExporter {
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
        // The host only: the URL may contain a key.
        if (failed && !isFailing) {
          const facts = { collector: url.host, reason: kindOf(result.error) };
          logger.warn(facts, "traces can't be sent, and are dropped");
        } else if (!failed && isFailing) logger.info("traces are sent again");
        isFailing = failed;
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}
