import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Gauge } from "prom-client";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createLogger } from "../logging/logger.ts";
import { createMetrics } from "../metrics.ts";
import {
  type InternalServer,
  type ReadinessChecks,
  readiness,
  startInternalServer,
} from "./internal-server.ts";

let server: InternalServer | undefined;
let metrics: ReturnType<typeof createMetrics>;
afterEach(async () => {
  await server?.close();
  server = undefined;
  lines.length = 0;
});

async function ask(path: string): Promise<readonly [number, unknown]> {
  const answer = await fetch(`http://127.0.0.1:${server?.port}${path}`);
  return [answer.status, await answer.json()];
}

const lines: { msg: string; part: string; cause?: string }[] = [];
const logger = createLogger("test", "info", { write: (line) => lines.push(JSON.parse(line)) });
const start = async (checks: ReadinessChecks, documents = {}) => {
  metrics = createMetrics();
  server = await startInternalServer({
    host: "127.0.0.1",
    port: 0,
    checks,
    documents,
    logger,
    metrics,
  });
};

test("each change of a readiness check's result is logged with the cause, even if the check is excluded", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  let cause: string | null = null;
  await start({
    postgres: async () => {
      if (cause !== null) throw new AggregateError([new Error(cause)]);
    },
  });
  const [AWAY, STARTING] = ["connect ECONNREFUSED", "the database system is starting up"];
  for (const next of [null, AWAY, AWAY, STARTING, null, STARTING, STARTING, null]) {
    cause = next;
    vi.advanceTimersByTime(1100);
    vi.setSystemTime(0); // a clock that is set back keeps no old result
    expect((await ask("/readyz?exclude=postgres"))[0]).toBe(200);
  }
  expect(lines.map(({ msg, part, cause }) => [part, msg, cause])).toEqual([
    ["postgres", "not ready", AWAY],
    ["postgres", "not ready", STARTING],
    ["postgres", "works again", undefined],
    ["postgres", "not ready", STARTING],
    ["postgres", "works again", undefined],
  ]);
});

test("concurrent requests of /readyz list every failing check and share one run of each check", async () => {
  let asked = 0;
  // Otherwise a second could pass between two of the requests.
  vi.useFakeTimers({ toFake: ["performance"] });
  await start({
    postgres: () => Promise.reject(new Error("away")),
    redis: async () => void asked++,
    jwks: () => Promise.reject(new Error("none yet")),
  });
  const expected = [503, { status: "not ready", failing: ["postgres", "jwks"] }];
  expect(await Promise.all([ask("/readyz"), ask("/readyz"), ask("/readyz")])).toEqual([
    expected,
    expected,
    expected,
  ]);
  expect(asked).toBe(1);
  const text = await (await fetch(`http://127.0.0.1:${server?.port}/metrics`)).text();
  expect(text.match(/^partner_connect_ready\{.*$/gm)).toEqual([
    'partner_connect_ready{check="postgres"} 0',
    'partner_connect_ready{check="redis"} 1',
    'partner_connect_ready{check="jwks"} 0',
  ]);
});

test("if a metric can't be collected, /metrics responds 500 and the process continues", async () => {
  await start({});
  const collect = () => Promise.reject(new Error("broken"));
  metrics.registry.registerMetric(new Gauge({ name: "broken", help: "-", registers: [], collect }));
  expect(await ask("/metrics")).toEqual([500, { error: "internal_error" }]);
  expect(lines).toMatchObject([{ msg: "a metric can't be collected" }]);
  expect(await ask("/livez")).toEqual([200, { status: "live" }]);
});

test("/readyz ignores an excluded check, but not that the process is draining", async () => {
  await start({ postgres: () => new Promise(() => {}), redis: async () => {} });
  const waited = ask("/readyz");
  const first = await Promise.race([waited, ask("/readyz?exclude=postgres")]);
  expect(first).toEqual([200, { status: "ready" }]);
  expect(await waited).toEqual([503, { status: "not ready", failing: ["postgres"] }]);
  server?.drain();
  expect(await ask("/readyz?exclude=postgres")).toEqual([503, { status: "draining" }]);
  expect(await ask("/livez")).toEqual([200, { status: "live" }]);
});

test("the internal server renders a service's document on each request of the document's path", async () => {
  let known = 0;
  await start({}, { "/keys": () => ({ known: ++known }) });
  for (const expected of [1, 2]) expect(await ask("/keys")).toEqual([200, { known: expected }]);
  expect(await ask("/constructor")).toEqual([404, { error: "not_found" }]);
});

test("a readiness check passes if the store responds while the process is busy", async () => {
  const listener = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void listener.close());
  await once(listener, "listening");
  const client = connect((listener.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => void client.destroy());
  const [store] = (await once(listener, "connection")) as [Socket];
  onTestFinished(() => void store.destroy());
  const checks = { store: async () => void (await once(client, "data")) };
  const failing = readiness(checks, logger)([]);
  store.write("PONG");
  for (const end = performance.now() + 1600; performance.now() < end; );
  expect(await failing).toEqual([]);
  expect(await readiness(checks, logger)([])).toEqual(["store"]);
});
