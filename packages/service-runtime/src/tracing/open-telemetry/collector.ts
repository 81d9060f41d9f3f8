import { type ExportResult, ExportResultCode, parseKeyPairsIntoRecord } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { TracingLog } from "../tracing.ts";

export interface CollectorOptions {
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
    if (failed) log.warn({ collector: url.host, reason: reasonOf(error) }, "traces can't be sent, and are dropped");
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

/** Node's code, or the status that the collector answered with; never its text. */
function reasonOf(error: Error | undefined): string {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: string };
  return String(code ?? name ?? "unknown");
}
