import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ExportResultCode } from "@opentelemetry/core";
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";
import { collector } from "./open-telemetry.ts";

function oneSpan(): ReadableSpan[] {
  const made = new InMemorySpanExporter();
  new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: made })] })
    .getTracer("test")
    .startSpan("GET /")
    .end();
  return made.getFinishedSpans();
}

async function listening(port: number, status: () => number): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(status()).end("told in private"));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

test("a collector that is away, or refuses, is logged once, without the secrets of its address; and once that it is back", async () => {
  let status = 403;
  const server = await listening(0, () => status);
  const { port } = server.address() as AddressInfo;
  const records: unknown[] = [];
  const exporter = collector(
    { endpoint: `http://user:pass@127.0.0.1:${port}/?key=secret`, headers: "x-key=secret", timeoutMs: 3000 },
    { info: (message) => records.push(message), warn: (fields, message) => records.push(fields, message) },
  );
  const sent = () => new Promise((resolve) => exporter.export(oneSpan(), ({ code }) => resolve(code)));

  expect(await sent()).toBe(ExportResultCode.FAILED);
  expect(await sent()).toBe(ExportResultCode.FAILED);
  const host = `127.0.0.1:${port}`;
  const told: unknown[] = [{ collector: host, reason: "403" }, "traces can't be sent, and are dropped"];
  expect(records).toEqual(told);
  status = 200;
  expect(await sent()).toBe(ExportResultCode.SUCCESS);
  expect(records).toEqual([...told, "traces are sent again"]);

  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(await sent()).toBe(ExportResultCode.FAILED);
  expect(await sent()).toBe(ExportResultCode.FAILED);
  expect(records.slice(3)).toEqual([
    { collector: host, reason: expect.stringMatching(/^ECONN(REFUSED|RESET)$/) },
    "traces can't be sent, and are dropped",
  ]);
  await exporter.shutdown();
});
