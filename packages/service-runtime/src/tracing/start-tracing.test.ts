import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test } from "vitest";
import { openTelemetry } from "./open-telemetry/open-telemetry.ts";
import { startTracing } from "./start-tracing.ts";
import type { TracingOptions } from "./tracing.ts";
import { setTracing, tracing } from "./tracing.ts";

const OPTIONS: TracingOptions = { endpoint: null, headers: "", serviceName: "test", share: 1, sendAfterMs: 10 };
const QUIET = { info: () => {}, warn: () => {} };

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

afterEach(() => setTracing(null));

/** Files of OpenTelemetry that a process has loaded once it has started as our services do, but for its interfaces, which prom-client loads. */
async function loaded(endpoint: string | null): Promise<readonly string[]> {
  const file = (path: string) => JSON.stringify(fileURLToPath(new URL(`../../../${path}`, import.meta.url)));
  const script = `
    import { registerHooks } from "node:module";
    const files = [];
    registerHooks({ load: (url, context, next) => (files.push(url), next(url, context)) });
    await import(${file("service-runtime/src/index.ts")});
    await import(${file("database/src/index.ts")});
    const { startTracing } = await import(${file("service-runtime/src/tracing/index.ts")});
    await startTracing(${JSON.stringify({ ...OPTIONS, endpoint })}, console);
    console.log(JSON.stringify(files));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  const files: string[] = JSON.parse(stdout);
  expect(files.some((file) => file.includes("/service-runtime/src/tracing/"))).toBe(true);
  return files.filter((file) => /\/(@opentelemetry\/(?!api\/)|open-telemetry\/)/.test(file));
}

test("without an endpoint nothing of OpenTelemetry is loaded", async () => {
  expect(await loaded(null)).toEqual([]);
  expect((await loaded("http://127.0.0.1:9")).length).toBeGreaterThan(10);
});

test("a call outside of a request is no trace", async () => {
  expect(tracing()).toBeNull();
  const traces = await startTracing({ ...OPTIONS, endpoint: "http://127.0.0.1:9" }, QUIET);
  expect(tracing()).toBe(traces);
  expect(traces?.call("PING", {})).toBeNull();
  const request = traces?.request({ method: "GET", headers: {}, isTrusted: false });
  expect(request?.within(() => traces?.call("PING", {}))).not.toBeNull();
  await traces?.close();
});

test("the share of traces is kept that was asked for, and a trusted caller's decision before it", async () => {
  const traces = await startTracing({ ...OPTIONS, share: 0, endpoint: "http://127.0.0.1:9" }, QUIET);
  const decision = (traceparent: string | undefined, isTrusted: boolean) =>
    traces?.request({ method: "GET", headers: { traceparent }, isTrusted }).headers()["traceparent"]?.slice(-2);
  const kept = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
  expect([decision(undefined, true), decision(kept, true), decision(kept, false)]).toEqual(["00", "01", "00"]);
  await traces?.close();
});

test("a collector that takes connections and says nothing holds up no request, keeps a bounded number of spans, and the close no longer than two seconds", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const traces = openTelemetry({ ...OPTIONS, endpoint, timeoutMs: 60_000 }, QUIET);
  const before = heapUsed();
  const attributes = { padding: "x".repeat(1000) };
  for (let index = 0; index < 20_000; index++) {
    const span = traces.request({ method: "GET", headers: {}, isTrusted: false });
    span.end({ route: "/", status: 200, attributes: { ...attributes, index: `${index}${attributes.padding}` } });
  }
  expect(heapUsed() - before).toBeLessThan(12_000_000);
  const begun = performance.now();
  await traces.close();
  // The collector itself would be waited for for a minute.
  expect(performance.now() - begun).toBeLessThan(30_000);
  silent.closeAllConnections();
  silent.close();
});
