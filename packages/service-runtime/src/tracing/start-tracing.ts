import type { TracingLog, TracingSettings } from "./tracing.ts";

/** Turns traces on where there is an endpoint. Else it loads nothing: the SDK takes 25 MB. @returns what sends the rest, at the end */
export async function startTracing(env: TracingSettings, name: string, log: TracingLog): Promise<() => Promise<void>> {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return async () => {};
  const { startSdk } = await import("./open-telemetry.ts");
  return startSdk(
    { ...env, OTEL_SERVICE_NAME: env.OTEL_SERVICE_NAME ?? name, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
    log,
  );
}
