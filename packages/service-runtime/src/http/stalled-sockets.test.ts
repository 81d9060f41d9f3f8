import { type AddressInfo, connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { describe, expect, type TestContext, test } from "vitest";
import { createLogger } from "../logging/logger.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { httpServer } from "./http-server.ts";

const STALL_MS = 2000;
const LARGE = Buffer.alloc(24_000_000, "x");

interface Asked {
  readonly client: Socket;
  /** The server's side of the connection. */
  readonly accepted: Socket;
}

/** A server of the test's own, and a connection that asks it for `path` and reads nothing. */
async function ask(path: string, { onTestFinished }: TestContext): Promise<Asked> {
  const app = await server();
  const accepted = new Promise<Socket>((resolve) => void app.server.once("connection", resolve));
  const client = connect({ port: (app.server.address() as AddressInfo).port, host: "127.0.0.1" });
  onTestFinished(async () => {
    client.destroy();
    await app.close();
  });
  client.on("error", () => {});
  client.pause();
  client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return { client, accepted: await accepted };
}

async function server(): Promise<FastifyInstance> {
  const { durations } = createMetrics();
  const logger = createLogger("test", "silent");
  const app = httpServer({
    logger,
    trustedProxies: [],
    publicUrl: "http://localhost",
    bodyLimit: 1000,
    durations,
    stallMs: STALL_MS,
  });
  app.get("/page", async () => LARGE);
  app.get("/stream", (_request, reply) =>
    reply.send(Readable.from([LARGE.subarray(12_000_000), LARGE.subarray(12_000_000)])),
  );
  app.get("/slow", async () => {
    await sleep(3 * STALL_MS);
    return "late";
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return app;
}

// Side by side, as they wait.
describe.concurrent("an answer", () => {
  test.for(["/page", "/stream"])(
    "that nobody takes (%s) ends after the stall limit, not twice as late",
    async (path, context) => {
      const { accepted } = await ask(path, context);
      const ended = new Promise<void>((resolve) => void accepted.once("close", () => resolve()));
      const begin = performance.now();
      await ended;
      const stalls = (performance.now() - begin) / STALL_MS;
      expect(stalls).toBeGreaterThan(0.9);
      expect(stalls).toBeLessThan(2);
    },
  );

  test.for(["/page", "/stream"])("that is taken slowly, but steadily (%s), is given whole", async (path, context) => {
    const { client } = await ask(path, context);
    let read = 0;
    const begin = performance.now();
    while (read < LARGE.length) {
      await sleep(10);
      const due = (LARGE.length * (performance.now() - begin)) / (2.5 * STALL_MS);
      while (read < due) {
        const chunk = client.read() as Buffer | null;
        if (!chunk) break;
        read += chunk.length;
      }
      if (client.destroyed) break;
    }
    expect(client.destroyed).toBe(false);
    expect(read).toBeGreaterThanOrEqual(LARGE.length);
    expect(performance.now() - begin).toBeGreaterThan(2 * STALL_MS);
  });

  test("that isn't ready yet may take its time", async (context) => {
    const { client } = await ask("/slow", context);
    const chunks: Buffer[] = [];
    for await (const chunk of client.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk as Buffer);
      if (Buffer.concat(chunks).toString().endsWith("late")) break;
    }
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 200 /);
  });
});
