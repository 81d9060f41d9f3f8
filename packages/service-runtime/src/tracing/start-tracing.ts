import { setTracing, type Tracing, type TracingLog, type TracingOptions } from "./tracing.ts";

/** Turns traces on where there is an endpoint, before stores are connected. Else it loads nothing: OpenTelemetry takes 25 MB. */
export async function startTracing(options: TracingOptions, log: TracingLog): Promise<Tracing | null> {
  const { endpoint } = options;
  if (endpoint === null) return null;
  const { openTelemetry } = await import("./open-telemetry/open-telemetry.ts");
  const started = openTelemetry({ ...options, endpoint }, log);
  setTracing(started);
  return started;
}
