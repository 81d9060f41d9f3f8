import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type CollectedSpan, decodeSpans } from "./otlp.ts";

export interface Collector {
  readonly url: string;
  /** What has arrived, in no order. */
  readonly spans: readonly CollectedSpan[];
  /** The bodies as they came: nothing secret may be in them. */
  readonly bodies: readonly Buffer[];
  readonly headers: readonly NodeJS.Dict<string | string[]>[];
  close(): Promise<void>;
}

/** A small collector of traces: OTLP by HTTP, in protobuf. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: Buffer[] = [];
  const headers: NodeJS.Dict<string | string[]>[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request));
    const isExport = request.method === "POST" && request.url === "/v1/traces";
    if (!isExport || request.headers["content-type"] !== "application/x-protobuf") {
      response.writeHead(404).end();
      return;
    }
    bodies.push(body);
    headers.push(request.headers);
    spans.push(...decodeSpans(body));
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
