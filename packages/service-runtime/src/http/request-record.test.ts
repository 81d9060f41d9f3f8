import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { afterEach, expect, test, vi } from "vitest";
import { createLogger } from "../logging/logger.ts";
import { createMetrics } from "../metrics.ts";
import { httpServer } from "./http-server.ts";
import { noteFacts } from "./request-record.ts";

const apps: FastifyInstance[] = [];
let records: Record<string, unknown>[] = [];

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

async function server(trustedProxies: readonly string[] = []) {
  records = [];
  const logger = createLogger("test", "info", { write: (line) => records.push(JSON.parse(line)) });
  const { durations } = createMetrics();
  const app = httpServer({
    logger,
    trustedProxies,
    bodyLimit: 1000,
    durations,
    publicUrl: "https://connect.example",
  });
  apps.push(app);
  app.get("/shops/:id", async (request) => {
    noteFacts(request, { clientId: "client_1", reason: "none yet" });
    noteFacts(request, { shopId: "shop_1", reason: "token_expired" });
    return "here";
  });
  app.get("/status/:status", async (request, reply) =>
    reply.code(Number((request.params as { status: string }).status)).send(),
  );
  app.get("/slow", (_request, reply) => void reply.raw.write("a beginning"));
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  records.length = 0; // those that Fastify logs at its start
  return { app, url };
}

test("a request is logged once, with its route, status and facts, but without its URL", async () => {
  const { url } = await server();
  const answer = await fetch(`${url}/shops/secret?code=secret`);
  expect(records).toEqual([
    {
      level: 30,
      time: expect.any(Number),
      pid: process.pid,
      hostname: expect.any(String),
      name: "test",
      reqId: answer.headers.get("x-request-id"),
      method: "GET",
      route: "/shops/:id",
      status: 200,
      ms: expect.any(Number),
      ip: "127.0.0.1",
      client_id: "client_1",
      shop_id: "shop_1",
      reason: "token_expired",
      msg: "request",
    },
  ]);
});

test("a request is logged even if it has no route or can't be decoded or parsed", async () => {
  const { app, url } = await server();
  await fetch(`${url}/secret/%zz`);
  await fetch(`${url}/secret`);
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1", () =>
    socket.write("secret\r\n\r\n"),
  );
  const answer = await text(socket);
  expect(records).toMatchObject([
    {
      method: "GET",
      route: "none",
      status: 404,
      reason: "malformed_path",
      reqId: expect.any(String),
    },
    { method: "GET", route: "none", status: 404 },
    { route: "none", status: 400, reason: "malformed_request", ip: "127.0.0.1", msg: "request" },
  ]);
  expect(answer).toContain(`x-request-id: ${records[2]?.["reqId"]}`);
  expect(JSON.stringify(records)).not.toContain("secret");
});

test("the log level and `incomplete` distinguish normal, failed and aborted requests", async () => {
  const { url } = await server();
  for (const status of [200, 302, 401, 503, 500])
    await fetch(`${url}/status/${status}`, { redirect: "manual" });
  expect(records.map(({ status, level }) => [status, level])).toEqual([
    [200, 30],
    [302, 30],
    [401, 30],
    [503, 40],
    [500, 50],
  ]);
  const leaving = new AbortController();
  const answer = await fetch(`${url}/slow`, { signal: leaving.signal });
  leaving.abort();
  await expect(answer.text()).rejects.toThrow();
  await vi.waitFor(() => expect(records[5]).toMatchObject({ route: "/slow", incomplete: true }), {
    timeout: 10_000,
  });
  expect(records[0]).not.toHaveProperty("incomplete");
});

test("a request's id is taken from a trusted gateway and is otherwise new", async () => {
  const id = "0190f5a2-7c1e-4d7b-9a3e-5f6a7b8c9d0e";
  const idOf = async (url: string, sent: string) =>
    (await fetch(`${url}/shops/1`, { headers: { "x-request-id": sent } })).headers.get(
      "x-request-id",
    );
  const behindGateway = await server(["127.0.0.1/32"]);
  expect(await idOf(behindGateway.url, id)).toBe(id);
  expect(records[0]).toMatchObject({ reqId: id });
  const NEW = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  for (const odd of ["", "x", `${id}, ${id}`, `x${id}`, id.toUpperCase()]) {
    const given = await idOf(behindGateway.url, odd);
    expect(given).toMatch(NEW);
    expect(given).not.toBe(id);
  }
  const open = await server();
  const given = await idOf(open.url, id);
  expect(given).toMatch(NEW);
  expect(given).not.toBe(id);
});
