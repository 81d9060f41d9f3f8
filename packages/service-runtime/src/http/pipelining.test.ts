import { type AddressInfo, connect, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterEach, describe, expect, test } from "vitest";
import { createLogger } from "../logging/logger.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { httpServer } from "./http-server.ts";

const LARGE = Buffer.alloc(20_000_000, "x");

let app: FastifyInstance;
let begun: string[];
let client: Socket;
let open: () => void;
/** The server's side of the client's connection. */
let accepted: Promise<Socket>;

afterEach(async () => {
  client.destroy();
  await app.close();
});

async function start(): Promise<Socket> {
  const { durations } = createMetrics();
  app = httpServer({
    logger: createLogger("test", "silent"),
    trustedProxies: [],
    publicUrl: "http://localhost",
    bodyLimit: 1000,
    durations,
  });
  begun = [];
  app.addHook("preHandler", async (request) => void begun.push(request.url.slice(1)));
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  app.get("/gate", () => gate.then(() => "gate"));
  app.get("/large", async () => LARGE);
  app.get("/:name", async (request) => (request.params as { name: string }).name);
  app.post("/echo", async (request) => request.body);
  await app.listen({ host: "127.0.0.1", port: 0 });
  accepted = new Promise((resolve) => void app.server.once("connection", resolve));
  client = connect({ port: (app.server.address() as AddressInfo).port, host: "127.0.0.1" });
  client.pause();
  return client;
}

const get = (name: string): string => `GET /${name} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** The bodies of the next answers. */
async function take(socket: Socket, count: number): Promise<string[]> {
  const bodies: string[] = [];
  let [chunks, size, needed]: [Buffer[], number, number] = [[], 0, 0];
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size < needed) continue;
    let rest = Buffer.concat(chunks);
    needed = 0;
    for (let head = rest.indexOf("\r\n\r\n"); head >= 0; head = rest.indexOf("\r\n\r\n")) {
      needed = head + 4 + Number(/content-length: (\d+)/i.exec(rest.toString("latin1", 0, head))?.[1]);
      if (rest.length < needed) break;
      bodies.push(rest.toString("latin1", head + 4, needed));
      rest = rest.subarray(needed);
    }
    if (bodies.length >= count) break;
    [chunks, size] = [[rest], rest.length];
  }
  return bodies;
}

describe("requests that come together on one connection", () => {
  test("are each answered, in order, however many", async () => {
    const socket = await start();
    const names = Array.from({ length: 3000 }, (_, i) => `name-${i}`);
    socket.write(names.map(get).join(""));
    expect(await take(socket, names.length)).toEqual(names);
    expect(begun).toEqual(names);
    socket.write(get("one-more"));
    expect(await take(socket, 1)).toEqual(["one-more"]);
  });

  test("are not begun while an answer before them isn't taken, and wait for ever if need be", async () => {
    const socket = await start();
    socket.write(get("large") + get("second"));
    const other = connect({ port: (app.server.address() as AddressInfo).port, host: "127.0.0.1" });
    for (let i = 0; i < 20; i++) {
      other.write(get(`other-${i}`));
      expect(await take(other, 1)).toEqual([`other-${i}`]);
    }
    other.destroy();
    expect(begun).toContain("large");
    expect(begun).not.toContain("second");
    const [large, second] = await take(socket, 2);
    expect([large?.length, second]).toEqual([LARGE.length, "second"]);
  });

  test("are no longer read when many wait, until they have had their turn", async () => {
    const socket = await start();
    const names = ["gate", ...Array.from({ length: 4000 }, (_, i) => `name-${i}`)];
    const padding = `X-Padding: ${"x".repeat(8000)}`;
    socket.write(names.map((name) => get(name).replace("Host: a", `Host: a\r\n${padding}`)).join(""));
    const server = await accepted;
    await expect.poll(() => server.isPaused(), { timeout: 10_000 }).toBe(true);
    const read = server.bytesRead;
    for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(server.bytesRead).toBe(read);
    expect(read).toBeLessThan(500_000);
    open();
    expect(await take(socket, names.length)).toEqual(names);
  });

  test("have their bodies", async () => {
    const socket = await start();
    const post = (body: string): string =>
      `POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    socket.write(get("large") + post('{"a":1}') + get("between") + post('{"b":2}'));
    const [, ...rest] = await take(socket, 4);
    expect(rest).toEqual(['{"a":1}', "between", '{"b":2}']);
  });
});
