import { Agent, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { Histogram, Registry } from "prom-client";
import { afterEach, expect, test } from "vitest";
import { httpServer } from "./http-server.ts";
import { createLogger } from "./logger.ts";

const agent = new Agent({ keepAlive: true });
afterEach(() => agent.destroy());

test("a close waits for requests under way, and for no connection that falls idle with them", async () => {
  const durations = new Histogram({
    name: "durations",
    help: "-",
    labelNames: ["method", "route", "status"],
    registers: [new Registry()],
  });
  const app = httpServer({ logger: createLogger("test", "silent"), trustedProxies: [], bodyLimit: 1000, durations });
  let answer = () => {};
  const arrived = new Promise<void>((resolve) => {
    app.get("/slow", async () => {
      resolve();
      await new Promise<void>((done) => {
        answer = done;
      });
      return "slow";
    });
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const answered = new Promise<IncomingMessage>((resolve) => {
    request({ agent, host: "127.0.0.1", port, path: "/slow" }, resolve).end();
  });
  await arrived;
  const closed = app.close();
  answer();
  const response = await answered;
  response.resume();
  expect([response.statusCode, response.headers.connection]).toEqual([200, "keep-alive"]);
  const since = performance.now();
  await closed;
  expect(performance.now() - since).toBeLessThan(2000);
});
