import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { onboardClient } from "@partner-connect/directory/testing";
import { createLogger } from "@partner-connect/service-runtime";
import { expect, test, vi } from "vitest";
import {
  ActivityCounters,
  addActivity,
  addRefusals,
  countRefusalsOfClient,
  type Refusal,
  refusalsOfClient,
} from "./activity.ts";

const { sql: owner, resourceServer: service } = await suiteDatabase();
const newClient = async () => (await onboardClient(owner)).clientId;

const NOW = Date.now();
const refusal = (clientId: string, n: number, reason = "invalid_parameter"): Refusal => ({
  clientId,
  at: NOW - 1_000_000 + n,
  requestId: `id-${n}`,
  call: "GET /api/responses",
  status: 400,
  what: "refused",
  reason,
  error: "invalid_request",
  param: "limit",
  connectionId: "con_1",
  sent: "https://c.example/…",
});

test("between two flushes every refusal is counted, but at most ten examples per client and reason are retained", () => {
  // Activity is counted by the hour, so fix the time.
  vi.useFakeTimers({ toFake: ["Date"] });
  const activity = new ActivityCounters(service, createLogger("test", "silent"));
  const answered = (clientId: string, n: number, reason: string) => ({
    ...{ clientId, reason, requestId: `${reason}-${n}` },
    ...{ call: "GET /api/responses", status: 400 },
  });
  for (let n = 0; n < 1000; n++)
    activity.addApiRefusal(answered("client_a", n, "invalid_parameter"));
  activity.addApiRefusal(answered("client_a", 0, "plan_lacks_scope"));
  activity.addApiRefusal(answered("client_b", 0, "invalid_parameter"));
  activity.addApiRefusal({ ...answered("client_b", 0, "rate_limited"), status: 429, limit: "api" });
  activity.addApiRefusal({ ...answered("client_b", 0, "postgres_away"), status: 503 });
  activity.addApiRefusal({ ...answered("", 0, "wrong_secret"), clientId: undefined });
  const all = activity.take();
  expect(all.map(({ clientId, what, reason, count }) => [clientId, what, reason, count])).toEqual([
    ["client_a", "refused", "invalid_parameter", 1000],
    ["client_a", "refused", "plan_lacks_scope", 1],
    ["client_b", "refused", "invalid_parameter", 1],
    ["client_b", "limited", "api", 1],
    ["client_b", "failed", "postgres_away", 1],
  ]);
  expect(all.flatMap(({ examples }) => examples.map(({ requestId }) => requestId))).toEqual([
    ...Array.from({ length: 10 }, (_, n) => `invalid_parameter-${n}`),
    "plan_lacks_scope-0",
    "invalid_parameter-0",
    "rate_limited-0",
    "postgres_away-0",
  ]);
  for (let n = 0; n < 3000; n++)
    activity.addApiRefusal(answered(`client_${n}`, n, "invalid_parameter"));
  expect(activity.take().flatMap(({ examples }) => examples)).toHaveLength(2000);
});

test("the newest 200 refusals per client and reason are stored once, however many refusals have another reason", async () => {
  const [clientId, other] = [await newClient(), await newClient()];
  await addRefusals(service, [refusal(clientId, 0, "plan_lacks_scope"), refusal(other, 0)]);
  for (let n = 0; n < 450; n += 150) {
    const batch = Array.from({ length: 150 }, (_, i) => refusal(clientId, n + i));
    await addRefusals(service, batch);
    await addRefusals(service, batch);
  }
  const newest = await refusalsOfClient(owner, clientId, {}, 2);
  expect(newest.map(({ requestId, kept }) => [requestId, kept])).toEqual([
    ["id-449", 200],
    ["id-448", 200],
    ["id-0", 1],
  ]);
  expect(await refusalsOfClient(owner, other, {}, 9)).toHaveLength(1);
});

test("the counts by reason cover all refusals of 7 days, even refusals that aren't stored", async () => {
  const clientId = await newClient();
  const hour = NOW - (NOW % 3_600_000);
  const counted = (what: "calls" | "refused", reason: string, count: number, hours = 0) => ({
    ...{ clientId, what, reason, count, examples: [] },
    hour: hour - hours * 3_600_000,
  });
  await addActivity(service, [
    counted("calls", "", 99),
    counted("refused", "plan_lacks_scope", 3),
    counted("refused", "invalid_parameter", 4, 167),
    counted("refused", "invalid_parameter", 5),
    counted("refused", "invalid_parameter", 5000, 168),
  ]);
  expect(await countRefusalsOfClient(owner, clientId)).toEqual([
    { what: "refused", reason: "invalid_parameter", count: 9 },
    { what: "refused", reason: "plan_lacks_scope", count: 3 },
  ]);
});

test("a search by request id or connection finds only the client's own refusals of the last 7 days", async () => {
  const [clientId, other] = [await newClient(), await newClient()];
  const old = { ...refusal(clientId, 5), at: NOW - (NOW % 3_600_000) - 167 * 3_600_000 - 1 };
  await addRefusals(service, [
    refusal(clientId, 1),
    { ...refusal(clientId, 2, "plan_lacks_scope"), connectionId: "con_2" },
    refusal(other, 3),
    old,
  ]);
  const find = async (filter: object) =>
    (await refusalsOfClient(owner, clientId, filter, 10)).map((r) => r.requestId);
  expect(await find({})).toEqual(["id-2", "id-1"]);
  expect(await find({ requestId: "id-1" })).toEqual(["id-1"]);
  expect(await find({ requestId: "id-3" })).toEqual([]);
  expect(await find({ connectionId: "con_1" })).toEqual(["id-1"]);
  const [found] = await refusalsOfClient(owner, clientId, { requestId: "id-1" }, 1);
  const { clientId: _, ...stored } = refusal(clientId, 1);
  expect(found).toEqual({ ...stored, at: new Date(stored.at), kept: 1 });
});

test("a repeated flush stores each example once, except examples of a deleted client", async () => {
  const clientId = await newClient();
  const activity = new ActivityCounters(service, createLogger("test", "silent"));
  const call = { call: "GET /api/responses", status: 400, reason: "x" };
  const refuse = (id: string) => activity.addApiRefusal({ clientId: id, requestId: id, ...call });
  for (const id of ["client_gone", clientId]) refuse(id);
  await owner`REVOKE INSERT ON oauth.client_activity FROM resource_server`;
  await activity.flush();
  await owner`GRANT INSERT ON oauth.client_activity TO resource_server`;
  await activity.flush();
  const ids = ["client_gone", clientId];
  expect(
    await owner`SELECT client_id FROM oauth.client_refusals WHERE client_id = ANY (${ids})`,
  ).toEqual([{ client_id: clientId }]);
  expect(await countRefusalsOfClient(owner, clientId)).toEqual([
    { what: "refused", reason: "x", count: 1 },
  ]);
});
