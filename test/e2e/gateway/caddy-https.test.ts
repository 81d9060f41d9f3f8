import { type IncomingMessage, request } from "node:http";
import { get } from "node:https";
import { text } from "node:stream/consumers";
import { freePort } from "@partner-connect/local-stack";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../../harness/actors/http.ts";
import { type Caddy, startCaddy } from "../../harness/stack/caddy.ts";
import { until } from "../../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";

let stack: OwnStack;
let caddy: Caddy;
let port: number;

beforeAll(async () => {
  stack = await startOwnStack({ env: { AUTHORIZATION_SERVER_REPLICAS: "1", RESOURCE_SERVER_REPLICAS: "1" } });
  port = await freePort();
  caddy = await startCaddy(stack, { port, scheme: "https" });
  // It makes the certificates once it serves.
  for (const name of ["localhost", "auth.localhost", "api.localhost"]) {
    await until(() =>
      ask(name, "/").then(
        () => true,
        () => false,
      ),
    );
  }
});

afterAll(async () => {
  await caddy?.stop();
  await stack?.stop();
});

/** Sends a request over TLS, trusting only Caddy's own root. */
async function ask(name: string, path: string, host = `${name}:${port}`) {
  const ca = await caddy.root();
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path, ca, servername: name, headers: { host }, agent: false };
    get(options, resolve).on("error", reject);
  });
  return { status: incoming.statusCode, headers: incoming.headers, body: await text(incoming) };
}

test("by HTTPS on any port, each public host serves its half, and HTTP/3 is offered", async () => {
  const { status, headers } = await ask("localhost", "/.well-known/oauth-authorization-server");
  expect([status, headers["alt-svc"]]).toEqual([200, expect.stringContaining(`h3=":${port}"`)]);
  expect((await ask("auth.localhost", "/oauth/api/jwks")).status).toBe(200);
  expect((await ask("api.localhost", "/api/responses")).status).toBe(401);
  const none = await ask("api.localhost", "/oauth/api/jwks");
  expect([none.status, none.headers["strict-transport-security"]]).toEqual([404, "max-age=31536000"]);
});

test("by HTTPS nothing is served to any other host", async () => {
  expect((await ask("localhost", "/oauth/api/jwks", "evil.example")).status).toBe(404);
  await expect(ask("evil.example", "/oauth/api/jwks")).rejects.toThrow(/alert/);
});

test("plain HTTP is led to HTTPS, and carries nothing else", async () => {
  const { port: httpPort } = new URL(caddy.redirectingUrl);
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { host: "api.localhost" };
    request({ host: "127.0.0.1", port: httpPort, path: "/api/responses", headers }, resolve).on("error", reject).end();
  });
  incoming.resume();
  expect([incoming.statusCode, incoming.headers.location]).toEqual([
    308,
    `https://api.localhost:${port}/api/responses`,
  ]);
});

test("inside, Caddy has its metrics and the keys, and nothing else", async () => {
  const found = async (path: string) => (await send(`${caddy.innerUrl}${path}`)).status;
  expect((await send(`${caddy.innerUrl}/metrics`)).text).toContain("caddy_reverse_proxy_upstreams_healthy");
  expect([await found("/oauth/api/jwks"), await found("/api/responses"), await found("/oauth/sign-in")]).toEqual([
    200, 404, 404,
  ]);
});
