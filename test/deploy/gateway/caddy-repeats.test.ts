import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { freePort } from "@partner-connect/local-stack";
import { gateway, listenOnLocalhost } from "@partner-connect/local-stack/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { send, sendForm } from "../../harness/actors/http.ts";
import { type Caddy, caddyUrls, startCaddy } from "../../harness/stack/caddy.ts";

/** What Caddy and the local gateway repeat and pass on. Tests script failures of the services. */
const servers: Server[] = [];
let caddy: Caddy;
let token: string;
let local: ReturnType<typeof gateway>;
/** The URL of each gateway. */
const urls = { caddy: "", local: "" };
const both = test.each(["caddy", "local"] as const);
/** Bodies that reached a service. */
let arrived: string[];
let isReady = true;
let answer: (request: IncomingMessage, response: ServerResponse) => void;

async function serve(handler: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(handler);
  // Longer than Caddy's idle timeout, so no POST arrives while its connection is being closed.
  server.keepAliveTimeout = 300_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const hash = (text: string) => createHash("sha256").update(text).digest("hex");

/** The load balancer in front. */
const BALANCER = "127.0.0.2";

const echo = async (request: IncomingMessage, response: ServerResponse) => {
  response.setHeader("x-client", `${request.headers["x-forwarded-for"]}`);
  response.setHeader("x-asked", JSON.stringify([request.url, request.headers]));
  response.setHeader("x-request-id", String(request.headers["x-request-id"])); // as services do
  const body = await text(request).catch(() => null);
  if (body !== null) arrived.push(body);
  answer(request, response.setHeader("x-body", hash(body ?? "")));
};

beforeAll(async () => {
  // The check excludes stores, because all replicas share them.
  const healthy = await serve(({ url }, response) => {
    response
      .writeHead(isReady && url === "/readyz?exclude=postgres&exclude=redis" ? 200 : 503)
      .end();
  });
  const [one, other] = [await serve(echo), await serve(echo)];
  // A replica whose health check passes, but whose public port is closed.
  const closed = `http://127.0.0.1:${await freePort()}`;
  const port = await freePort();
  answer = (_request, response) => response.end("{}");
  arrived = [];
  caddy = await startCaddy(
    {
      now: { authorization_server_urls: [one, closed], resource_server_urls: [one, other] },
      internalUrls: { "authorization-server-1": healthy, "resource-server-1": healthy },
    },
    { port, change, env: { GATEWAY_TRUSTED_PROXIES: `${BALANCER}/32 2001:db8::/32` } },
  );
  urls.caddy = caddyUrls({ port }).base_url;
  token = `${urls.caddy}/oauth/api/token`;
  const services = { authorizationServers: [one, closed], resourceServers: [one, other] };
  local = gateway(services, undefined, "silent");
  const localPort = await freePort();
  await listenOnLocalhost(local, localPort);
  urls.local = `http://localhost:${localPort}`;
});
beforeEach(() => {
  arrived = [];
  isReady = true;
  answer = (_request, response) => response.end("{}");
});
afterAll(async () => {
  await Promise.all([caddy?.stop(), local?.close()]);
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Checks the health more often, and waits for a replica longer than a busy machine needs. */
const change = (caddyfile: string) =>
  caddyfile
    .replace("health_interval 2s", "health_interval 100ms")
    .replace("lb_try_duration 3s", "lb_try_duration 30s");

const form = (length: number) =>
  `refresh_token=${randomBytes(length).toString("hex")}`.slice(0, length);

both(
  "if a replica refuses the connection, the gateway %s sends the whole POST to the next replica once",
  async (which) => {
    const bodies = Array.from({ length: 300 }, (_, index) => form(20 + index * 99));
    const waiting = [...bodies];
    const answers: unknown[] = [];
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let body = waiting.pop(); body !== undefined; body = waiting.pop()) {
          const { status, headers } = await sendForm(`${urls[which]}/oauth/api/token`, body);
          answers.push([status, headers["x-body"] === hash(body)]);
        }
      }),
    );
    expect(answers).toEqual(bodies.map(() => [200, true]));
    expect(arrived.toSorted()).toEqual(bodies.toSorted());
  },
);

test("a POST waits at Caddy until a replica is ready", async () => {
  const api = token.replace("/oauth/api/token", "/api/sources");
  isReady = false;
  // Five proxies, to authorization servers and resource servers, check two replicas each.
  const told = (name: string) => caddy.log().split(`"name":"${name}"`).length;
  await expect.poll(() => told("unhealthy") - told("healthy")).toBe(10);
  const posted = send(api, { method: "POST", body: "waits" });
  // The POST, and this request itself.
  const inFlight = async () =>
    (await send(`${caddy.innerUrl}/metrics`)).text.match(
      /^caddy_http_requests_in_flight\{.*\} 1$/gm,
    );
  await expect.poll(inFlight).toHaveLength(2);
  expect(arrived).toEqual([]);
  isReady = true;
  expect((await posted).status).toBe(200);
  expect(arrived).toEqual(["waits"]);
});

test("a POST body of 30,000 bytes reaches a service whole or not at all", async () => {
  const [bodies, statuses]: [string[], number[]] = [[], []];
  // Until each replica has been chosen first.
  while (new Set(statuses).size < 2) {
    const some = Array.from({ length: 6 }, () => form(30_000));
    bodies.push(...some);
    statuses.push(
      ...(await Promise.all(some.map(async (body) => (await sendForm(token, body)).status))),
    );
  }
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(arrived.length).toBe(statuses.filter((status) => status === 200).length);
  expect(bodies).toEqual(expect.arrayContaining(arrived));
});

both(
  "if a replica cuts off a POST, the gateway %s returns 503 and doesn't resend the POST",
  async (which) => {
    answer = (request) => request.socket.destroy();
    const api = `${urls[which]}/api/sources`;
    for (const body of [form(100), form(200)]) {
      const { status, headers, json } = await send(api, { method: "POST", body });
      expect([status, json(), headers["retry-after"]]).toEqual([
        503,
        { error: "unavailable" },
        "1",
      ]);
      expect(arrived.splice(0)).toEqual([body]);
    }
  },
);

both(
  "the gateway %s passes on a service's own 503 without resending the request",
  async (which) => {
    answer = (_request, response) =>
      response.writeHead(503, { "retry-after": "7" }).end('{"error":"unavailable"}');
    const { status, headers } = await sendForm(`${urls[which]}/oauth/api/token`, "a=b");
    expect([status, headers["retry-after"], headers["x-body"], arrived]).toEqual([
      503,
      "7",
      hash("a=b"),
      ["a=b"],
    ]);
  },
);

test("if a client closes before its body is complete, Caddy returns 408 and forwards nothing", async () => {
  const { port } = new URL(token);
  const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
  socket.end(
    `POST /oauth/api/token HTTP/1.1\r\nhost: localhost:${port}\r\ncontent-length: 100\r\n\r\n${form(50)}`,
  );
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 .*\{"error":"invalid_request"\}$/s);
  expect(arrived).toEqual([]);
});

test("a client that closes its half of the connection after its request gets the response", async () => {
  const { port, host } = new URL(token);
  const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
  socket.end(
    `POST /oauth/api/token HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\ncontent-length: 3\r\n\r\na=b`,
  );
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n\{\}$/s);
  expect(arrived).toEqual(["a=b"]);
});

test("Caddy trusts x-forwarded-for only from the load balancer in front", async () => {
  const headers = { "x-forwarded-for": "198.51.100.66, 192.0.2.7:443" };
  const client = async (from?: string) =>
    (
      await send(token.replace("/oauth/api/token", "/api/responses"), {
        headers,
        ...(from && { from }),
      })
    ).headers["x-client"];
  expect(await client(BALANCER)).toBe(`198.51.100.66, 192.0.2.7:443, ${BALANCER}`);
  expect(await client()).toBe("127.0.0.1");
});

both(
  "the gateway %s replaces the client's forwarding headers and request id, but keeps path and query byte for byte",
  async (which) => {
    const path = "/oauth/a%2Fb/c?x=1&x=2&y=a+b%20c&z=%zz&=&?";
    const headers = {
      ...{ "x-forwarded-for": "192.0.2.9", "X-Forwarded-Host": "evil", forwarded: "for=x" },
      ...{ "x-real-ip": "1", "x-request-id": "forged" },
    };
    const { headers: answered } = await send(urls[which] + path, { headers });
    const [url, arrived] = JSON.parse(String(answered["x-asked"]));
    const set = Object.entries(arrived).filter(([name]) => /forwarded|-i[dp]$|^host$/.test(name));
    const { host } = new URL(urls[which]);
    expect([url, Object.fromEntries(set)]).toEqual([
      path,
      {
        ...{ host, "x-forwarded-for": "127.0.0.1", "x-forwarded-host": host },
        ...{ "x-forwarded-proto": "http", "x-request-id": answered["x-request-id"] },
      },
    ]);
    expect(answered["x-request-id"]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  },
);

test.each(["/oauth/api/token", "localhost:443"])("CONNECT %s gets 405", async (target) => {
  const { port, host } = new URL(token);
  const socket = connect({ port: Number(port), host: "127.0.0.1" });
  socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
  expect(await text(socket)).toMatch(
    /^HTTP\/1\.1 405 .*allow: .*\{"error":"method_not_allowed"\}$/is,
  );
});

both("if a replica cuts off a GET, the gateway %s asks another replica", async (which) => {
  let cut = 0;
  answer = (request, response) => (cut++ === 0 ? request.socket.destroy() : response.end("{}"));
  expect((await send(`${urls[which]}/api/responses`)).status).toBe(200);
  expect([cut, arrived.splice(0)]).toEqual([2, ["", ""]]);
});

test("with CERTIFICATE=own, Caddy loads the operator's certificate", () => {
  const hosts = {
    BASE_ADDRESS: "connect.example",
    AUTH_ADDRESS: "auth.example",
    API_ADDRESS: "api.example",
  };
  const env = {
    PATH: process.env["PATH"],
    GATEWAY_SCHEME: "https",
    GATEWAY_PORT: "443",
    CERTIFICATE: "own",
    ...hosts,
  };
  const config = new URL("../../../deploy/gateway/Caddyfile", import.meta.url).pathname;
  const adapted = execFileSync("caddy", ["adapt", "--config", config, "--adapter", "caddyfile"], {
    env,
    stdio: "pipe",
  });
  expect(JSON.parse(`${adapted}`).apps.tls.certificates.load_files[0]).toMatchObject({
    certificate: "/certificate/tls.crt",
    key: "/certificate/tls.key",
  });
});

test("no request body is in Caddy's log, whatever the outcome", async () => {
  const secret = randomBytes(20).toString("hex");
  const refused = () => caddy.log().split('"status":503').length;
  const before = refused();
  for (let turn = 0; turn < 4; turn++)
    await sendForm(token, `turn=${turn}&refresh_token=${secret}`);
  answer = (request) => request.socket.destroy();
  await sendForm(token, `cut=yes&refresh_token=${secret}`);
  await expect.poll(refused).toBeGreaterThan(before);
  expect(caddy.log()).not.toContain(secret);
});
