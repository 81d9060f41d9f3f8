import type { TracingLog, TracingSettings } from "./tracing.ts";

/** Starts tracing if there is an endpoint. Otherwise it does not load the SDK, which takes 25 MB. @returns its close */
export async function startTracing(env: TracingSettings, name: string, log: TracingLog): Promise<() => Promise<void>> {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return async () => {};
  const { startSdk } = await import("./open-telemetry.ts");
  return startSdk(
    { ...env, OTEL_SERVICE_NAME: env.OTEL_SERVICE_NAME ?? name, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
    log,
  );
}
