import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { freePort } from "@partner-connect/service-runtime/free-port";
import { afterEach, expect, test } from "vitest";
import { gateway, listenOnLocalhost } from "./gateway.ts";

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A service's replica that does what the test says. */
async function replica(handler: Handler, port = 0): Promise<string> {
  const server = createServer(handler).listen(port, "127.0.0.1");
  await once(server, "listening");
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a gateway before these replicas, each a behaviour or a URL. Returns its port. */
async function startGateway(...replicas: readonly (Handler | string)[]): Promise<number> {
  const port = await freePort();
  const urls = replicas.map((each) => (typeof each === "string" ? each : replica(each)));
  const servers = { authorizationServers: await Promise.all(urls), resourceServers: [] };
  const app = gateway(servers, undefined, "silent");
  closing.push(() => app.close());
  await listenOnLocalhost(app, port);
  return port;
}

async function ask(
  port: number,
  path: string,
  { body, ...options }: RequestOptions & { body?: string } = {},
) {
  const headers = { host: `localhost:${port}`, ...options.headers };
  const sent = request({ host: "127.0.0.1", port, path, ...options, headers }).end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

const echo =
  (name: string): Handler =>
  ({ url, headers }, response) =>
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ name, url, headers }));

test("the gateway listens on both address families of localhost", async () => {
  const port = await startGateway(echo("oauth"));
  expect((await ask(port, "/oauth/x", { host: "127.0.0.1" })).status).toBe(200);
  expect((await ask(port, "/oauth/x", { host: "::1" })).status).toBe(200);
});

test("the gateway streams a response before the response is complete", async () => {
  const { promise: taken, resolve: take } = Promise.withResolvers<void>();
  const port = await startGateway((_request, response) => {
    response.write("first ");
    void taken.then(() => response.end("second"));
  });
  const chunks: string[] = [];
  const sent = request({
    host: "127.0.0.1",
    port,
    path: "/oauth/x",
    headers: { host: "localhost" },
  }).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  for await (const chunk of answer) {
    chunks.push(String(chunk));
    take();
  }
  expect(chunks).toEqual(["first ", "second"]);
});

test("a closing replica gets no more requests if another replica is ready, and no client is disconnected", async () => {
  let asked = 0;
  const leaving: Handler = (_request, response) => {
    asked += 1;
    response.writeHead(200, { connection: "close" }).end();
  };
  const port = await startGateway(leaving, echo("staying"));
  for (let turn = 0; turn < 6; turn++) {
    const { status, headers } = await ask(port, "/oauth/x", { method: "POST", body: "a=1" });
    expect([status, headers.connection]).not.toContain("close");
  }
  expect(asked).toBe(1);
});

test("the gateway responds 503 with Retry-After only until the first replica is back", async () => {
  const back = await freePort();
  const port = await startGateway(
    `http://127.0.0.1:${back}`,
    `http://127.0.0.1:${await freePort()}`,
  );
  for (const method of ["GET", "POST"]) {
    const { status, headers, body } = await ask(port, "/oauth/x", {
      method,
      body: method === "POST" ? "a" : "",
    });
    expect([status, headers["retry-after"], JSON.parse(body)]).toEqual([
      503,
      "1",
      { error: "unavailable" },
    ]);
  }
  await replica(echo("back"), back);
  expect((await ask(port, "/oauth/x", { method: "POST", body: "a" })).status).toBe(200);
});
