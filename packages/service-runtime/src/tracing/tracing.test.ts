import { execFile } from "node:child_process";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ExportResultCode } from "@opentelemetry/core";
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";
import { createLogger } from "../logging/logger.ts";
import { collector, startSdk } from "./open-telemetry.ts";
import { traceTask } from "./tracing.ts";

const SETTINGS = {
  OTEL_EXPORTER_OTLP_HEADERS: undefined,
  OTEL_SERVICE_NAME: "test",
  OTEL_TRACES_SAMPLER_ARG: 1,
};

/**
 * Files of OpenTelemetry that a process has loaded once it has started as our services do, but for
 * its interfaces, which prom-client loads.
 */
async function loaded(endpoint: string | undefined): Promise<readonly string[]> {
  const file = (path: string) =>
    JSON.stringify(fileURLToPath(new URL(`../../../${path}`, import.meta.url)));
  const settings = { ...SETTINGS, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
  const script = `
    import { registerHooks } from "node:module";
    const files = [];
    registerHooks({ load: (url, context, next) => (files.push(url), next(url, context)) });
    await import(${file("service-runtime/src/index.ts")});
    await import(${file("database/src/index.ts")});
    const { startTracing } = await import(${file("service-runtime/src/process/process.ts")});
    await startTracing(${JSON.stringify(settings)}, "test", console);
    console.log(JSON.stringify(files));`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--input-type=module",
    "--eval",
    script,
  ]);
  const files: string[] = JSON.parse(stdout);
  expect(files.some((file) => file.includes("/service-runtime/src/tracing/"))).toBe(true);
  return files.filter((file) => /\/(@opentelemetry\/(?!api\/)|open-telemetry\.ts)/.test(file));
}

test("without an endpoint nothing of OpenTelemetry is loaded", async () => {
  expect(await loaded(undefined)).toEqual([]);
  expect((await loaded("http://127.0.0.1:9")).length).toBeGreaterThan(10);
});

test("a collector that accepts connections and never answers does not delay the end of a process", async () => {
  let asked = 0;
  const silent = await collectorWith(() => asked++);
  const end = startSdk(
    { ...SETTINGS, OTEL_EXPORTER_OTLP_ENDPOINT: `http://${silent.host}` },
    createLogger("test", "silent"),
  );
  await traceTask("task", {}, async () => {});
  await end();
  expect(asked).toBe(1);
  await silent.close();
});

test("a failing collector is logged once, without the secrets of its address, and so is its recovery", async () => {
  let status = 403;
  const { host, close } = await collectorWith((response) =>
    response.writeHead(status).end("told in private"),
  );
  const lines: string[] = [];
  const logger = createLogger("test", "info", { write: (line) => lines.push(line) });
  const exporter = collector(`http://user:pass@${host}/?key=secret`, "x-key=secret", logger);
  const sent = () =>
    new Promise((resolve) => exporter.export(oneSpan(), ({ code }) => resolve(code)));

  for (let time = 0; time < 2; time++) expect(await sent()).toBe(ExportResultCode.FAILED);
  status = 200;
  expect(await sent()).toBe(ExportResultCode.SUCCESS);
  await close();
  expect(await sent()).toBe(ExportResultCode.FAILED);
  const FAILED = "traces can't be sent, and are dropped";
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { collector: host, reason: "403", msg: FAILED },
    { msg: "traces are sent again" },
    { collector: host, reason: expect.stringMatching(/^ECONN(REFUSED|RESET)$/), msg: FAILED },
  ]);
  expect(lines.join()).not.toMatch(/secret|pass|private/);
  await exporter.shutdown();
});

function oneSpan(): ReadableSpan[] {
  const made = new InMemorySpanExporter();
  new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: made })] })
    .getTracer("test")
    .startSpan("GET /")
    .end();
  return made.getFinishedSpans();
}

async function collectorWith(answer: (response: ServerResponse) => void) {
  const server = createServer((request, response) =>
    request.resume().on("end", () => answer(response)),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await server[Symbol.asyncDispose]();
  };
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
