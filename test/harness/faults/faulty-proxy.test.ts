import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type FaultyProxy, faultyProxy } from "./faulty-proxy.ts";
import { randomFaults } from "./random-faults.ts";

let server: Server;
let proxy: FaultyProxy;
let arrived: string[];

beforeAll(async () => {
  server = createServer((incoming, outgoing) => {
    incoming.on("data", (chunk) => arrived.push(String(chunk)));
    incoming.on("end", () => outgoing.end(`answer ${arrived.length}`));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy = await faultyProxy(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
});
beforeEach(() => {
  arrived = [];
});
afterAll(async () => {
  await proxy.stop();
  server.closeAllConnections();
  server.close();
});

const send = async () => {
  const answer = await fetch(`${proxy.url}/x?y=z`, { method: "POST", body: "hello" });
  return `${answer.status} ${await answer.text()}`;
};

test("passes calls on as they are while no fault is chosen", async () => {
  proxy.choose(null);
  expect(await send()).toBe("200 answer 1");
  expect(proxy.calls.at(-1)).toEqual({ method: "POST", path: "/x?y=z", fault: null, status: 200 });
});

test("a dropped request does not arrive; of a dropped or cut answer the request did", async () => {
  proxy.choose(() => ({ fault: "drop-request" }));
  await expect(send()).rejects.toThrow();
  expect(arrived).toEqual([]);
  proxy.choose(() => ({ fault: "drop-answer" }));
  await expect(send()).rejects.toThrow();
  expect(arrived).toEqual(["hello"]);
  proxy.choose(() => ({ fault: "cut", afterBytes: 4 }));
  await expect(send()).rejects.toThrow();
  expect(arrived).toEqual(["hello", "hello"]);
});

test("a doubled request arrives twice, and either answer comes", async () => {
  proxy.choose(() => ({ fault: "double", answer: "first" }));
  expect(await send()).toBe("200 answer 1");
  proxy.choose(() => ({ fault: "double", answer: "second" }));
  expect(await send()).toBe("200 answer 4");
});

test("a gateway answers by itself", async () => {
  proxy.choose(() => ({ fault: "gateway", status: 502 }));
  expect(await send()).toMatch(/^502 <h1>/);
  expect(arrived).toEqual([]);
});

test("random faults are the same for a seed, and about as many as was asked for", () => {
  const some = () => {
    const choose = randomFaults(7, 4, [{ fault: "drop-request" }, { fault: "drop-answer" }]);
    return Array.from({ length: 1000 }, (_, count) => choose({ method: "GET", path: "/", body: "", count })?.fault);
  };
  expect(some()).toEqual(some());
  expect(some().filter(Boolean).length).toBeGreaterThan(180);
  expect(some().filter(Boolean).length).toBeLessThan(330);
});
