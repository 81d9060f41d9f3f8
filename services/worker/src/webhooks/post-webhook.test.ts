import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
} from "node:net";
import { promisify } from "node:util";
import { selfSigned } from "@partner-connect/database/testing";
import { afterAll, afterEach, expect, test } from "vitest";
import { postWebhook, type WebhookEgress } from "./post-webhook.ts";
import { startNameServer } from "./testing/name-server.ts";

const NAME = "hooks.acme.example";
const { certificate, key } = selfSigned([NAME]);
const open: (Server | TcpServer)[] = [];

const nameServer = await startNameServer();
/** The egress rules of production. */
const outside: WebhookEgress = {
  allowLoopback: false,
  nameServers: [nameServer.address],
  ca: certificate,
};
/** Allows calls to the servers of this file. */
const inDevelopment: WebhookEgress = { ...outside, allowLoopback: true };

afterEach(() => {
  nameServer.names.clear();
  nameServer.asked.length = 0;
  for (const server of open.splice(0)) {
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close();
  }
});
afterAll(() => nameServer.close());

async function listening(server: Server | TcpServer, host = "127.0.0.1"): Promise<number> {
  open.push(server);
  server.listen(0, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const overTls = (listener: RequestListener) =>
  listening(createTlsServer({ cert: certificate, key }, listener));
const post = (url: string, egress = inDevelopment) =>
  postWebhook(url, { "webhook-id": "msg_1" }, '{"a":1}', egress);

test("a webhook is posted over TLS only if the certificate of the host is valid", async () => {
  let heard = {};
  const port = await overTls(async (request, response) => {
    const { method, url, headers } = request;
    heard = {
      method,
      url,
      headers,
      body: Buffer.concat(await Array.fromAsync(request)).toString(),
    };
    response.writeHead(202).end("thank\nyou\0");
  });
  nameServer.names.set(NAME, ["127.0.0.1"]);
  const answer = await post(`https://${NAME}:${port}/hook?a=b`);
  expect(answer).toEqual({ status: 202, body: "thank you", retryAfterSeconds: 0 });
  const expected = {
    host: `${NAME}:${port}`,
    "content-type": "application/json",
    "webhook-id": "msg_1",
  };
  expect(heard).toMatchObject({
    method: "POST",
    url: "/hook?a=b",
    headers: expected,
    body: '{"a":1}',
  });
  nameServer.names.set("other.acme.example", ["127.0.0.1"]);
  await expect(post(`https://other.acme.example:${port}/`)).rejects.toThrow(/altnames/);
  const { ca: _, ...untrusting } = inDevelopment;
  await expect(post(`https://${NAME}:${port}/`, untrusting)).rejects.toThrow(/self-signed/);
});

test("a webhook is posted over plain HTTP only to localhost and only in development", async () => {
  const port = await listening(createServer((_, response) => response.end("ok")));
  expect(await post(`http://localhost:${port}/`)).toEqual({
    status: 200,
    body: "ok",
    retryAfterSeconds: 0,
  });
  await expect(post("http://hooks.acme.example/")).rejects.toThrow(/is http/);
  await expect(post(`http://localhost:${port}/`, outside)).rejects.toThrow(/is http/);
  await expect(post(`https://127.0.0.1:${port}/`, outside)).rejects.toThrow(/not a public address/);
});

test("posting a webhook doesn't follow redirects", async () => {
  const { port: other, connections } = await trap();
  const port = await overTls((_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${other}/` }).end();
  });
  nameServer.names.set(NAME, ["127.0.0.1"]);
  expect(await post(`https://${NAME}:${port}/`)).toEqual({
    status: 307,
    body: "",
    retryAfterSeconds: 0,
  });
  expect(connections).toEqual([]);
});

/** A partner's server on this machine, and the addresses at which clients have connected to it. */
async function trap() {
  const connections: string[] = [];
  const trapped = createTcpServer((socket) => {
    connections.push(socket.localAddress ?? "");
    socket.destroy();
  });
  const port = await listening(trapped);
  return { port, connections };
}

test.each([[["127.0.0.1"]], [["8.8.8.8", "::ffff:7f00:1"]], [["2606:4700::1111", "10.0.0.1"]]])(
  "no connection is made to a hostname that resolves to %j",
  async (addresses) => {
    const { port, connections } = await trap();
    nameServer.names.set(NAME, addresses);
    await expect(post(`https://${NAME}:${port}/`, outside)).rejects.toMatchObject({
      code: "WEBHOOK_ADDRESS",
    });
    expect(connections).toEqual([]);
  },
);

test("if a hostname's address changes after the check, the webhook is sent to the checked address", async () => {
  const { port, connections } = await trap();
  nameServer.names.set(NAME, () => (nameServer.asked.length <= 2 ? ["127.0.0.1"] : ["127.0.0.2"]));
  await expect(post(`https://${NAME}:${port}/`)).rejects.toThrow();
  expect(nameServer.asked).toEqual([NAME, NAME]);
  expect(connections).toHaveLength(1);
});

test("a webhook's hostname is resolved without search domains or /etc/hosts", async () => {
  await expect(post("https://localhost.localdomain/", outside)).rejects.toMatchObject({
    code: "WEBHOOK_HOST_UNKNOWN",
  });
  expect(new Set(nameServer.asked)).toEqual(new Set(["localhost.localdomain"]));
});

test("HTTP_PROXY and HTTPS_PROXY are ignored", async () => {
  const { port: proxy, connections } = await trap();
  const port = await listening(createServer((_, response) => response.end("ok")));
  const script = `const { postWebhook } = await import(${JSON.stringify(new URL("post-webhook.ts", import.meta.url).href)});
      console.log((await postWebhook("http://localhost:${port}/", {}, "{}", { allowLoopback: true })).body)`;
  const address = `http://127.0.0.1:${proxy}`;
  const env = {
    NODE_USE_ENV_PROXY: "1",
    HTTP_PROXY: address,
    HTTPS_PROXY: address,
    http_proxy: address,
  };
  const ran = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", script],
    { env },
  );
  expect(ran.stdout).toBe("ok\n");
  expect(connections).toEqual([]);
});

test("posting a webhook fails after five seconds if the endpoint accepts the connection but sends nothing", async () => {
  const port = await listening(createTcpServer(() => {}));
  await expect(post(`http://localhost:${port}/`)).rejects.toThrow("no answer within 5 s");
});

test("posting a webhook fails if the endpoint's name server doesn't respond", async () => {
  nameServer.names.set(NAME, undefined);
  await expect(post(`https://${NAME}/`, outside)).rejects.toMatchObject({
    code: "WEBHOOK_HOST_UNKNOWN",
  });
});

test("a webhook succeeds with the status 200 even if the response body never ends", async () => {
  const port = await listening(
    createServer((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("."), 100);
      response.on("close", () => clearInterval(timer));
    }),
  );
  expect(await post(`http://localhost:${port}/`)).toMatchObject({ status: 200 });
});

test("only the beginning of an endpoint's response is read", async () => {
  let sent = 0;
  const port = await listening(
    createServer((_, response) => {
      const more = () => {
        while (!response.destroyed && sent < 50_000_000 && response.write("x".repeat(10_000)))
          sent += 10_000;
      };
      response.on("drain", more);
      more();
    }),
  );
  expect(await post(`http://localhost:${port}/`)).toMatchObject({
    status: 200,
    body: "x".repeat(256),
  });
  expect(sent).toBeLessThan(10_000_000);
});

test.each([
  ["120", 120],
  ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
  ["Fri, 31 Dec 9999 23:59:59 GMT", 86_400],
  ["soon", 0],
])("Retry-After %j is read as %i s", async (retryAfter, seconds) => {
  const port = await listening(
    createServer((_, response) => response.writeHead(429, { "retry-after": retryAfter }).end()),
  );
  expect(await post(`http://localhost:${port}/`)).toMatchObject({
    status: 429,
    retryAfterSeconds: seconds,
  });
});

test("a response counts as a failure if its headers are too large or it is not HTTP", async () => {
  const large = await listening(
    createServer((_, response) => response.setHeader("x", "y".repeat(10_000)).end()),
  );
  await expect(post(`http://localhost:${large}/`)).rejects.toMatchObject({
    code: "HPE_HEADER_OVERFLOW",
  });
  const port = await listening(createTcpServer((socket) => socket.end("SSH-2.0-OpenSSH\r\n")));
  await expect(post(`http://localhost:${port}/`)).rejects.toThrow();
});

test("if the endpoint upgrades or closes the connection, posting a webhook ends before the timeout", async () => {
  const upgrade =
    "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n";
  for (const answer of [upgrade, "HTTP/1.1 200 OK\r\ncontent-le", ""]) {
    const port = await listening(
      createTcpServer((socket) => void socket.once("data", () => socket.end(answer))),
    );
    const posted = post(`http://localhost:${port}/`).then(({ status }) => `${status}`, String);
    expect(await posted).not.toContain("no answer within 5 s");
  }
});
