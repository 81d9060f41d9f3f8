import { once } from "node:events";
import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { freePort } from "@partner-connect/service-runtime/free-port";
import { afterEach, describe, expect, test } from "vitest";
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

/**
 * A gateway before these replicas of the authorization server, each with its behaviour or its URL.
 * @returns its port
 */
async function startGateway(...replicas: readonly (Handler | string)[]): Promise<number> {
  const port = await freePort();
  const urls = replicas.map((each) => (typeof each === "string" ? each : replica(each)));
  const app = gateway(
    { authorizationServers: await Promise.all(urls), resourceServers: [] },
    undefined,
    "silent",
  );
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

/** Answers with the request. */
const echo =
  (name: string): Handler =>
  ({ url, headers }, response) =>
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ name, url, headers }));

test("both address families of localhost answer", async () => {
  const port = await startGateway(echo("oauth"));
  expect((await ask(port, "/oauth/x", { host: "127.0.0.1" })).status).toBe(200);
  expect((await ask(port, "/oauth/x", { host: "::1" })).status).toBe(200);
});

describe("requests and answers", () => {
  test("an unknown address goes to the authorization server for a person, who reads a page, and is 404 for a program", async () => {
    const port = await startGateway(echo("oauth"));
    expect((await ask(port, "/nowhere")).status).toBe(404);
    const headers = { accept: "text/html,*/*" };
    expect((await ask(port, "/nowhere", { headers })).status).toBe(200);
    expect(
      (await ask(port, "/nowhere", { headers: { ...headers, host: "api.localhost" } })).status,
    ).toBe(404);
  });

  test("only the gateway sets the client's address and protocol", async () => {
    const port = await startGateway(echo("oauth"));
    const forged = {
      "x-forwarded-for": "192.0.2.9",
      "X-Forwarded-Host": "evil",
      forwarded: "for=x",
      "x-real-ip": "1",
    };
    const { body } = await ask(port, "/oauth/x", {
      headers: { ...forged, "x-forwarded-prefix": "/evil" },
    });
    const sent = Object.entries(JSON.parse(body).headers).filter(([name]) =>
      /forwarded|real-ip|^host$/.test(name),
    );
    expect(Object.fromEntries(sent)).toEqual({
      host: `localhost:${port}`,
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-host": `localhost:${port}`,
      "x-forwarded-proto": "http",
    });
  });

  test("the gateway sets the request's id, and answers with it", async () => {
    const port = await startGateway(echo("oauth"));
    const { body, headers } = await ask(port, "/oauth/x", {
      headers: { "x-request-id": "forged" },
    });
    const sent = JSON.parse(body).headers["x-request-id"];
    expect(sent).toBe(headers["x-request-id"]);
    expect(sent).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  test("path and query arrive byte for byte", async () => {
    const port = await startGateway(echo("oauth"));
    const url = "/oauth/a%2Fb/c?x=1&x=2&y=a+b%20c&z=%zz&=&?";
    expect(JSON.parse((await ask(port, url)).body).url).toBe(url);
  });

  test("an answer is passed on while it is being made", async () => {
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

  test("after a refused body, also one in chunks, the next request on its connection is answered", async () => {
    const port = await startGateway(echo("oauth"));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    closing.push(async () => agent.destroy());
    const statuses = [];
    for (const headers of [{ "transfer-encoding": "chunked" }, { "content-length": "2000000" }]) {
      const large = { method: "POST", headers, body: "x".repeat(2_000_000), agent };
      statuses.push(
        (await ask(port, "/oauth/x", large)).status,
        (await ask(port, "/oauth/x", { agent })).status,
      );
    }
    expect(statuses).toEqual([413, 200, 413, 200]);
  });

  test("a service's own 503 is an answer like any other, and is asked for once", async () => {
    let asked = 0;
    const busy: Handler = (_request, response) => {
      asked += 1;
      response.writeHead(503, { "retry-after": "7" }).end("busy");
    };
    const port = await startGateway(busy, busy);
    const { status, headers, body } = await ask(port, "/oauth/x");
    expect([status, headers["retry-after"], body, asked]).toEqual([503, "7", "busy", 1]);
  });
});

describe("replicas", () => {
  test("they take turns", async () => {
    const port = await startGateway(echo("a"), echo("b"));
    const names = [];
    for (let turn = 0; turn < 4; turn++)
      names.push(JSON.parse((await ask(port, "/oauth/x")).body).name);
    expect(names.sort()).toEqual(["a", "a", "b", "b"]);
  });

  test("one that refuses connections is passed over, for reads and for writes", async () => {
    const down = `http://127.0.0.1:${await freePort()}`;
    const port = await startGateway(down, echo("up"), down);
    for (const method of ["GET", "POST", "GET", "POST", "DELETE", "POST"]) {
      const answer = await ask(port, "/oauth/x", { method, body: method === "POST" ? "a=1" : "" });
      expect([method, answer.status]).toEqual([method, 200]);
    }
  });

  test("a closing one gets no more requests while there is another, and its caller stays connected", async () => {
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

  test("a read that a replica cut off is sent to another", async () => {
    const port = await startGateway((request) => request.socket.destroy(), echo("up"));
    for (let turn = 0; turn < 4; turn++) expect((await ask(port, "/oauth/x")).status).toBe(200);
  });

  test("a write that a replica cut off is not repeated: the client gets an error and decides", async () => {
    let writes = 0;
    const cut: Handler = (request) => {
      writes += 1;
      request.socket.destroy();
    };
    const port = await startGateway(cut, cut);
    const answer = await ask(port, "/oauth/x", { method: "POST", body: "a=1" });
    expect([answer.status, JSON.parse(answer.body), writes]).toEqual([
      503,
      { error: "unavailable" },
      1,
    ]);
    expect(answer.headers["retry-after"]).toBe("1");
  });

  test("while all are down, the answer is a 503 to be tried again; when one is back, it is used", async () => {
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
});
