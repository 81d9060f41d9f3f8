import { afterEach, expect, test } from "vitest";
import { type InternalServer, startInternalServer } from "./internal-server.ts";
import type { ReadinessChecks } from "./readiness.ts";

let server: InternalServer;
afterEach(() => server.close());

async function ask(path: string): Promise<readonly [number, unknown]> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`);
  return [answer.status, await answer.json()];
}

const start = async (checks: ReadinessChecks, documents = {}) => {
  server = await startInternalServer({ host: "127.0.0.1", port: 0, checks, documents });
};

test("/readyz names every part that fails, and asks each once a second at most [faults.no-store]", async () => {
  let asked = 0;
  await start({
    postgres: () => Promise.reject(new Error("away")),
    redis: async () => void asked++,
    jwks: () => Promise.reject(new Error("none yet")),
  });
  const expected = [503, { status: "not ready", failing: ["postgres", "jwks"] }];
  expect(await Promise.all([ask("/readyz"), ask("/readyz"), ask("/readyz")])).toEqual([expected, expected, expected]);
  expect(asked).toBe(1);
});

test("a part that is excluded is not waited for [faults.no-store]", async () => {
  await start({ postgres: () => new Promise(() => {}), redis: async () => {} });
  const since = performance.now();
  expect(await ask("/readyz?exclude=postgres")).toEqual([200, { status: "ready" }]);
  expect(performance.now() - since).toBeLessThan(1000);
  expect(await ask("/readyz")).toEqual([503, { status: "not ready", failing: ["postgres"] }]);
});

test("a process that drains is not ready, whatever is excluded, and lives", async () => {
  await start({ redis: async () => {} });
  server.drain();
  expect(await ask("/readyz")).toEqual([503, { status: "draining" }]);
  expect(await ask("/readyz?exclude=redis")).toEqual([503, { status: "draining" }]);
  expect(await ask("/livez")).toEqual([200, { status: "live" }]);
});

test("what the service adds is told by its path, as it is at that moment", async () => {
  let known = 0;
  await start({}, { "/keys": () => ({ known: ++known }) });
  expect([await ask("/keys"), await ask("/keys")]).toEqual([
    [200, { known: 1 }],
    [200, { known: 2 }],
  ]);
  expect(await ask("/constructor")).toEqual([404, { error: "not_found" }]);
});
