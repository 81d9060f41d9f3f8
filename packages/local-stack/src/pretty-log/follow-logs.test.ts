import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { followLogs, logLine } from "./follow-logs.ts";

const record = (fields: object) => JSON.stringify({ level: 30, time: 0, pid: 1, hostname: "h", name: "n", ...fields });
const textOf = (name: string, fields: object) => logLine(name, record(fields))?.slice(9) ?? null;

test("a record is one short line: a request with its answer and reason, a warning with a mark", () => {
  const request = { reqId: "x", method: "GET", route: "/api/responses", ms: 3, ip: "::1", msg: "request" };
  expect(textOf("resource-server-1", { ...request, status: 200, client_id: "client_a", shop_id: "shop_b" })).toBe(
    "resource-server-1        GET /api/responses 200 3ms client_a shop_b",
  );
  expect(textOf("resource-server-1", { ...request, status: 401, reason: "token_expired" })).toBe(
    "resource-server-1        GET /api/responses 401 3ms token_expired",
  );
  expect(textOf("authorization-server-1", { level: 40, msg: "not ready", part: "redis", cause: "away" })).toBe(
    "authorization-server-1 ! not ready part=redis cause=away",
  );
  expect(textOf("gateway", { ...request, status: 503, reason: "no_replica", path: "/api/...", level: 40 })).toBe(
    "gateway                ! GET /api/... 503 3ms no_replica",
  );
});

test("what the service logs too, the start, and what is no record are left out", () => {
  expect(textOf("gateway", { method: "GET", route: "/api/*", status: 200, msg: "request" })).toBeNull();
  expect(textOf("resource-server-1", { msg: "configuration", set: {} })).toBeNull();
  for (const text of ["", "not JSON", "1", "{}"]) expect(logLine("gateway", text)).toBeNull();
});

test("lines are shown as they come, whole, from files of the services alone", async () => {
  const folder = await mkdtemp(join(tmpdir(), "logs-"));
  const line = (text: string) => `${record({ msg: text })}\n`;
  const [log, other] = [join(folder, "resource-server-1.log"), join(folder, "postgres.log")];
  await writeFile(log, line("before"));
  await writeFile(other, "");
  const said: string[] = [];
  const ending = new AbortController();
  await followLogs(folder, (text) => said.push(text.slice(34)), ending.signal);
  await appendFile(other, line("of postgres"));
  await appendFile(log, line("first") + line("second").slice(0, 20));
  await vi.waitFor(() => expect(said).toEqual(["first"]), { timeout: 5000 });
  await appendFile(log, line("second").slice(20));
  await vi.waitFor(() => expect(said).toEqual(["first", "second"]), { timeout: 5000 });
  ending.abort();
  await rm(folder, { recursive: true });
});
