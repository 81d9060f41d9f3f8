import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { createLogger } from "../logging/logger.ts";
import { createMetrics } from "../metrics.ts";
import { forwardedAddresses, httpServer } from "./http-server.ts";

const agent = new Agent({ keepAlive: true });
const apps: FastifyInstance[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  agent.destroy();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const app of apps.splice(0)) await app.close();
});

function server(publicUrl = "https://connect.example"): FastifyInstance {
  const { durations } = createMetrics();
  const logger = createLogger("test", "silent");
  const app = httpServer({ logger, trustedProxies: [], bodyLimit: 1000, durations, publicUrl });
  apps.push(app);
  return app;
}

async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ host: "127.0.0.1", port: 0 });
  return (app.server.address() as AddressInfo).port;
}

function send(port: number, bytes: string): Socket {
  const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
  sockets.push(socket);
  return socket;
}

/** Sends these bytes and returns everything received until the connection closes. */
async function answersTo(port: number, bytes: string): Promise<string> {
  return (await buffer(send(port, bytes))).toString("latin1");
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** A route whose answer waits for the test. */
function slowRoute(app: FastifyInstance) {
  const [arrived, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  app.get("/slow", async () => {
    arrived.resolve();
    await answer.promise;
    return "slow";
  });
  return { arrived: arrived.promise, answer: answer.resolve };
}

test("closing a server waits for running requests, but not for idle connections", async () => {
  const app = server();
  const { arrived, answer } = slowRoute(app);
  const port = await listen(app);
  const answered = new Promise<IncomingMessage>((resolve) => {
    request({ agent, host: "127.0.0.1", port, path: "/slow" }, resolve).end();
  });
  await arrived;
  const closed = app.close();
  answer();
  const response = await answered;
  response.resume();
  expect([response.statusCode, response.headers.connection]).toEqual([200, "keep-alive"]);
  // An idle connection is kept for longer than this test may take.
  await closed;
});

test("closing a server waits until a slow reader has received its complete response", async () => {
  const app = server();
  const body = Buffer.alloc(32 * 1024 * 1024, "x");
  const ended = Promise.withResolvers<void>();
  app.get("/large", (_request, reply) => {
    reply.raw.once("prefinish", ended.resolve);
    return reply.send(body);
  });
  const port = await listen(app);
  const reader = send(port, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n").pause();
  await ended.promise;
  const closed = app.close();
  // Gives a defective close the time to cut the request off.
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  const received = await buffer(reader);
  expect(received.length - received.indexOf("\r\n\r\n") - 4).toBe(body.length);
  await closed;
});

test("a closing server handles no request that arrives after the server has ended the connection", async () => {
  const app = server();
  let asked = 0;
  const { arrived, answer } = slowRoute(app);
  app.get("/", async () => String(++asked));
  const port = await listen(app);
  const idle = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  sockets.push(idle);
  idle.write(get("/"));
  await once(idle, "data");
  const slow = send(port, get("/slow"));
  await arrived;
  const closed = app.close();
  await once(idle, "end");
  idle.end(get("/"));
  answer();
  slow.resume();
  await closed;
  expect(asked).toBe(1);
});

test("pipelined requests are answered in order", async () => {
  const app = server();
  const second = Promise.withResolvers<void>();
  app.get("/first", () => second.promise.then(() => "first"));
  app.get("/second", async () => {
    second.resolve();
    return "second";
  });
  const socket = send(await listen(app), get("/first") + get("/second"));
  const read = buffer(socket).then(String);
  await second.promise;
  await app.close();
  expect((await read).match(/first|second$/g)).toEqual(["first", "second"]);
});

test("if bytes that aren't HTTP follow a pending request, the connection is closed without a 400", async () => {
  const app = server();
  const { arrived, answer } = slowRoute(app);
  const socket = send(await listen(app), get("/slow"));
  await arrived;
  socket.write("nonsense\r\n\r\n");
  expect(String(await buffer(socket))).toBe("");
  answer();
});

test("a request with a malformed body gets an immediate 400", async () => {
  const app = server();
  app.post("/", async () => "never");
  const port = await listen(app);
  const head =
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n";
  expect(await answersTo(port, `${head}no chunk\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
});

test("a client that keeps sending after a refusal is disconnected", async () => {
  const app = server();
  const port = await listen(app);
  const accepted = new Promise<Socket>((resolve) => void app.server.once("connection", resolve));
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  sockets.push(socket.on("error", () => {}));
  socket.write("nonsense\r\n\r\n");
  const closed = accepted.then((server) => once(server, "close"));
  const sending = setInterval(() => socket.write("x"), 10);
  await closed;
  clearInterval(sending);
});

test.each(["close", "keep-alive"])(
  "a client that sends its whole body before it reads gets the status 413 (Connection: %s)",
  async (connection) => {
    const app = server();
    app.post("/", async (request) => request.body);
    const port = await listen(app);
    for (const body of ["x".repeat(20_000_000), `${"x".repeat(999)}\n`.repeat(20_000)]) {
      const socket = send(port, "").pause();
      const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nConnection: ${connection}\r\n`;
      socket.write(`${head}Content-Length: ${body.length}\r\n\r\n`);
      await new Promise<void>((resolve, reject) => {
        socket.once("error", reject);
        socket.write(body, () => resolve());
      });
      const [answer] = await once(socket.resume(), "data");
      expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
    }
  },
);

test("a connection whose response isn't read is closed after the idle timeout", async () => {
  const app = server();
  expect(app.server.timeout).toBe(60_000);
  app.server.setTimeout(300);
  app.get("/large", async () => Buffer.alloc(32 * 1024 * 1024));
  const port = await listen(app);
  const accepted = new Promise<Socket>((resolve) => void app.server.once("connection", resolve));
  send(port, get("/large")).pause();
  await accepted.then((server) => once(server, "close"));
});

const ask = (line: string, headers = "") =>
  `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`;
const ANSWERS: readonly [string, string, number][] = [
  ["a route's", ask("GET /"), 200],
  ["a redirect", ask("GET /elsewhere"), 302],
  ["an error", ask("GET /error"), 500],
  [
    "to a body that is too large",
    ask("POST /", "Content-Type: text/plain\r\nContent-Length: 2000\r\n"),
    413,
  ],
  ["to an unknown path", ask("GET /unknown"), 404],
  ["to a method of which Fastify requires a content type", ask("QUERY /"), 404],
  ["to a malformed path", ask("GET /%zz"), 404],
  ["to what isn't HTTP", "nonsense\r\n\r\n", 400],
  ["to headers of 32 KB", ask("GET /", `X: ${"x".repeat(32_000)}\r\n`), 200],
  ["to headers that are too large", ask("GET /", `X: ${"x".repeat(70_000)}\r\n`), 431],
];

test.each([
  [
    "https://connect.example",
    ["strict-transport-security: max-age=31536000", "x-content-type-options: nosniff"],
  ],
  ["http://localhost:8080", ["x-content-type-options: nosniff"]],
])("every response of %s has the security headers %j", async (publicUrl, expected) => {
  const app = server(publicUrl);
  app.get("/", async () => "found");
  app.post("/", async () => "found");
  app.get("/elsewhere", (_request, reply) => reply.redirect("/"));
  app.get("/error", async () => {
    throw new Error("a defect");
  });
  const port = await listen(app);
  for (const [what, bytes, status] of ANSWERS) {
    const answer = await answersTo(port, bytes);
    const headers = answer.match(/^(?:x-content-type-options|strict-transport-security): .*$/gim);
    expect([what, answer.split(" ", 2)[1], headers?.toSorted()]).toEqual([
      what,
      String(status),
      expected,
    ]);
  }
});

const FORWARDED: readonly (readonly [header: string, addresses: readonly string[]])[] = [
  ["192.0.2.7", ["192.0.2.7"]],
  ["192.0.2.7, 2001:db8::1", ["192.0.2.7", "2001:db8::1"]],
  ["192.0.2.7:5678,198.51.100.1:80", ["192.0.2.7", "198.51.100.1"]],
  ["[2001:db8::1]:5678, [2001:db8::2]", ["2001:db8::1", "2001:db8::2"]],
  ["::ffff:192.0.2.7", ["::ffff:192.0.2.7"]],
  ["192.0.2.7, unknown", []],
  ["unknown, 192.0.2.7", ["192.0.2.7"]],
  ["192.0.2.7, _hidden, 198.51.100.1", ["198.51.100.1"]],
  ["999.0.0.1:80", []],
  ["192.0.2.7:port", []],
  ["", []],
  [", ,", []],
];

test("X-Forwarded-For is read from the end until an entry that is no IP address", () => {
  expect(FORWARDED.map(([header]) => [header, forwardedAddresses(header)])).toEqual(FORWARDED);
});
