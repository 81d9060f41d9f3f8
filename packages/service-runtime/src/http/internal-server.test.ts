import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createMetrics } from "../metrics.ts";
import { type InternalServer, type ReadinessChecks, readiness, startInternalServer } from "./internal-server.ts";

let server: InternalServer | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await server?.close();
  server = undefined;
});

async function ask(path: string): Promise<readonly [number, unknown]> {
  const answer = await fetch(`http://127.0.0.1:${server?.port}${path}`);
  return [answer.status, await answer.json()];
}

const told: [level: string, message: string, fields: object][] = [];
const log = {
  info: (fields: object, message: string) => void told.push(["info", message, fields]),
  warn: (fields: object, message: string) => void told.push(["warn", message, fields]),
};
const start = async (checks: ReadinessChecks, documents = {}) => {
  told.length = 0;
  const metrics = createMetrics();
  server = await startInternalServer({ host: "127.0.0.1", port: 0, checks, documents, log, metrics });
};

test("the log has why a part doesn't work, when that changes, also of a part that is excluded", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  let cause: string | null = "connect ECONNREFUSED";
  await start({
    postgres: async () => {
      if (cause !== null) throw new AggregateError([new Error(cause)]);
    },
  });
  const askLater = async () => {
    vi.advanceTimersByTime(1100);
    return await ask("/readyz?exclude=postgres");
  };
  for (let time = 0; time < 3; time++) expect((await askLater())[0]).toBe(200);
  cause = "password authentication failed";
  for (let time = 0; time < 2; time++) await askLater();
  cause = null;
  await askLater();
  cause = "the database system is starting up";
  for (let time = 0; time < 2; time++) await askLater();
  cause = null;
  for (let time = 0; time < 2; time++) await askLater();
  expect(told).toEqual([
    // In the first seconds a connection may not be open yet.
    ["info", "not ready yet", { part: "postgres", cause: "connect ECONNREFUSED" }],
    ["warn", "not ready", { part: "postgres", cause: "password authentication failed" }],
    ["info", "works again", { part: "postgres" }],
    ["warn", "not ready", { part: "postgres", cause: "the database system is starting up" }],
    ["info", "works again", { part: "postgres" }],
  ]);
});

test("/readyz names every part that fails, and asks each once a second at most", async () => {
  let asked = 0;
  // The second may end between two of the requests.
  vi.useFakeTimers({ toFake: ["Date"] });
  await start({
    postgres: () => Promise.reject(new Error("away")),
    redis: async () => void asked++,
    jwks: () => Promise.reject(new Error("none yet")),
  });
  const expected = [503, { status: "not ready", failing: ["postgres", "jwks"] }];
  expect(await Promise.all([ask("/readyz"), ask("/readyz"), ask("/readyz")])).toEqual([expected, expected, expected]);
  expect(asked).toBe(1);
  const metrics = await (await fetch(`http://127.0.0.1:${server?.port}/metrics`)).text();
  expect(metrics.match(/^partner_connect_ready\{.*$/gm)).toEqual([
    'partner_connect_ready{check="postgres"} 0',
    'partner_connect_ready{check="redis"} 1',
    'partner_connect_ready{check="jwks"} 0',
  ]);
});

test("a part that is excluded is not waited for", async () => {
  await start({ postgres: () => new Promise(() => {}), redis: async () => {} });
  const waited = ask("/readyz");
  const first = await Promise.race([waited, ask("/readyz?exclude=postgres")]);
  expect(first).toEqual([200, { status: "ready" }]);
  expect(await waited).toEqual([503, { status: "not ready", failing: ["postgres"] }]);
});

test("a process that drains is not ready, whatever is excluded, and lives", async () => {
  await start({ redis: async () => {} });
  server?.drain();
  expect(await ask("/readyz")).toEqual([503, { status: "draining" }]);
  expect(await ask("/readyz?exclude=redis")).toEqual([503, { status: "draining" }]);
  expect(await ask("/livez")).toEqual([200, { status: "live" }]);
});

test("documents of the service have their own paths, and are rendered on each request", async () => {
  let known = 0;
  await start({}, { "/keys": () => ({ known: ++known }) });
  expect([await ask("/keys"), await ask("/keys")]).toEqual([
    [200, { known: 1 }],
    [200, { known: 2 }],
  ]);
  expect(await ask("/constructor")).toEqual([404, { error: "not_found" }]);
});

test("a part that answered while the process was busy works", async () => {
  const listener = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void listener.close());
  await once(listener, "listening");
  const client = connect((listener.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => void client.destroy());
  const [store] = (await once(listener, "connection")) as [Socket];
  onTestFinished(() => void store.destroy());
  const ask = async () => void (await once(client, "data"));
  const failing = readiness({ store: ask })([]);
  store.write("PONG");
  for (const end = performance.now() + 1600; performance.now() < end; );
  expect(await failing).toEqual([]);
  expect(await readiness({ store: ask })([])).toEqual(["store"]);
});
