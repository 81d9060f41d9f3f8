import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { appendChanges, noteRelay, readChanges } from "@partner-connect/connections/changes";
import {
  addWebhook,
  dueWebhook,
  type Endpoint,
  findWebhook,
  parseWebhookKeys,
  requestTest,
  setWebhookStatus,
} from "@partner-connect/connections/webhooks";
import { connectDatabase, type Queries } from "@partner-connect/database";
import { waitingSessions } from "@partner-connect/database/testing";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { deleteClient, setClientStatus } from "@partner-connect/directory";
import { onboardClient, TEST_OPERATOR as operator } from "@partner-connect/directory/testing";
import { createLogger, createMetrics } from "@partner-connect/service-runtime";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, afterEach, expect, test } from "vitest";
import { startJobs } from "../jobs.ts";
import { type WebhookSender, webhookKinds } from "./send-webhooks.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const keys = parseWebhookKeys(KEY);
const sent: string[] = [];
const logged: string[] = [];
const logger = createLogger("test", "info", { write: (line: string) => void logged.push(line) });
const senders: ReturnType<typeof startJobs>[] = [];

const database = await suiteDatabase();
const owner = database.connect(database.url, { name: "test", connections: 2 });
/** Connected with the service's role, not as the owner. */
const worker = database.connect(database.workerUrl, { name: "worker test", connections: 2 });

type Answer = (response: ServerResponse) => void;
/** A partner's endpoints: what each path answers (default: 204), and the calls to them. */
const answers = new Map<string, Answer>();
const calls: { path: string; headers: Record<string, string>; body: string }[] = [];
const server = createServer(async (request: IncomingMessage, response) => {
  const { url: path = "", headers } = request;
  const body = Buffer.concat(await Array.fromAsync(request)).toString();
  calls.push({ path, headers: headers as Record<string, string>, body });
  (answers.get(path) ?? ((to) => void to.writeHead(204).end()))(response);
}).listen(0, "127.0.0.1");
await once(server, "listening");
const at = (path: string) => `http://localhost:${(server.address() as AddressInfo).port}${path}`;
const heard = (path: string) => calls.filter((call) => call.path === path);
const kindsOf = (path: string) =>
  heard(path).map(({ body }) => JSON.parse(body).data.kinds as string[]);

afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.close()));
  server.closeAllConnections();
  answers.clear();
  for (const list of [calls, sent, logged]) list.length = 0;
  await owner`DELETE FROM oauth.webhooks`;
  await owner`DELETE FROM worker_jobs.job`;
});
afterAll(() => void server.close());

function startSender(own: Partial<WebhookSender> = {}) {
  const sender = { sql: worker, keys, egress: { allowLoopback: true }, logger, ...own };
  const kinds = webhookKinds(sender).map(({ run, ...kind }) => ({
    ...kind,
    run: async (job: never) => {
      const outcome = await run(job);
      if (outcome !== "nothing") sent.push(outcome);
      return outcome;
    },
  }));
  const jobs = startJobs({
    sql: sender.sql,
    schema: "worker_jobs",
    kinds,
    logger,
    registry: createMetrics().registry,
  });
  senders.push(jobs);
}

async function endpoint(path: string, answer?: Answer) {
  if (answer) answers.set(path, answer);
  const { clientId } = await onboardClient(owner);
  return await addWebhook(owner, { clientId, url: at(path) }, keys, operator);
}

let connections = 0;
async function change(
  { clientId }: Pick<Endpoint, "clientId">,
  kind: "responses" | "deletions" = "responses",
) {
  const connectionId = `con_${++connections}`;
  await appendChanges(owner, [{ clientId, connectionId, shopId: "shop_1", kind, at: new Date() }]);
}

/** Appends the client's first change, without a job. */
async function appendFirst(tx: Queries, clientId: string) {
  await tx`INSERT INTO oauth.change_positions (client_id, number) VALUES (${clientId}, 1)`;
  await tx`
    INSERT INTO oauth.changes (client_id, connection_id, kind, number, at) VALUES (${clientId}, 'con_1', 'responses', 1, now())`;
}

/** An endpoint with one webhook to send, and a worker. */
async function withDueWebhook(path: string, answer?: Answer) {
  const made = await endpoint(path, answer);
  startSender();
  await change(made.webhook);
  return made;
}

/** Waits for something that a worker does; the limit is for hangs only. */
const until = (holds: () => unknown) =>
  expect.poll(holds, { timeout: 60_000, interval: 20 }).toBeTruthy();
const untilIdle = () =>
  until(async () => {
    const left =
      await owner`SELECT FROM worker_jobs.job WHERE state IN ('created', 'retry', 'active')`;
    return left.length === 0;
  });
async function stateOf({ id }: Endpoint) {
  const [row] = await owner<
    { status: string; failures: number; failing: boolean; sent: number; next: Date }[]
  >`
    SELECT status, failures, failing_since IS NOT NULL AS failing, sent_number::int AS sent, next_attempt_at AS next
    FROM oauth.webhooks WHERE id = ${id}`;
  return row;
}
const untilState = (webhook: Endpoint, state: object) =>
  expect.poll(() => stateOf(webhook)).toMatchObject(state);
/** Seconds from the endpoint's last attempt to its next one. */
async function pauseOf(webhook: Endpoint) {
  const { deliveries } = await findWebhook(owner, webhook.id);
  return (Number((await stateOf(webhook))?.next) - Date.parse(deliveries[0]?.at ?? "")) / 1000;
}
/** Moves the times of the endpoint and its jobs into the past by this much. */
async function pass({ id }: Endpoint, time: string) {
  const [row] = await owner<Record<string, string | null>[]>`
    SELECT (failing_since - span)::text AS failing, (next_attempt_at - span)::text AS next
    FROM oauth.webhooks, CAST(${time} AS interval) AS span WHERE id = ${id}`;
  await owner`
    UPDATE oauth.webhooks SET failing_since = ${row?.["failing"] ?? null}::text::timestamptz,
      next_attempt_at = ${row?.["next"] ?? null}::text::timestamptz
    WHERE id = ${id}`;
  await owner`
    UPDATE worker_jobs.job SET start_after = start_after - CAST(${time} AS interval), heartbeat_on = heartbeat_on - CAST(${time} AS interval)
    WHERE data ->> 'id' = ${id}`;
}

test("a webhook names the kinds of new changes, and the standardwebhooks library accepts its signature", async () => {
  const { webhook, secret } = await withDueWebhook("/a");
  await until(() => sent.length > 0);
  const [{ headers, body } = { headers: {}, body: "" }] = heard("/a");
  expect(new Verifier(secret).verify(body, headers)).toEqual({
    type: "changes",
    timestamp: expect.stringMatching(/^20\S+Z$/),
    data: { client_id: webhook.clientId, kinds: ["responses"] },
  });
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "user-agent": "partner-connect",
  });
});

test("a webhook is sent only for changes after the endpoint was added", async () => {
  const { clientId } = await onboardClient(owner);
  await change({ clientId }, "deletions");
  const { webhook } = await addWebhook(owner, { clientId, url: at("/new") }, keys, operator);
  startSender();
  await change(webhook);
  await untilIdle();
  expect(kindsOf("/new")).toEqual([["responses"]]);
});

test("an endpoint that is added while a change is appended gets a webhook for the change", async () => {
  const { clientId } = await onboardClient(owner);
  startSender();
  await owner.begin(async (appending) => {
    await appendFirst(appending, clientId);
    await addWebhook(owner, { clientId, url: at("/between") }, keys, operator);
  });
  await until(() => heard("/between").length === 1);
});

test("the job that sends a webhook waits for an uncommitted first change of the client", async () => {
  const { webhook } = await endpoint("/first");
  const { due } = await owner.begin(async (first) => {
    await appendFirst(first, webhook.clientId);
    const due = dueWebhook(worker, webhook.clientId, webhook.id);
    await expect.poll(() => waitingSessions(owner), { timeout: 10_000 }).toBeGreaterThan(0);
    return { due };
  });
  expect(await due).toMatchObject({ number: "1" });
});

test("a webhook stays due, without kinds, if the feed entries that it is about were deleted", async () => {
  const { webhook } = await endpoint("/deleted");
  await change(webhook);
  await owner`DELETE FROM oauth.changes WHERE client_id = ${webhook.clientId}`;
  const body = expect.stringContaining('"kinds":[]');
  expect(await dueWebhook(worker, webhook.clientId, webhook.id)).toMatchObject({ body });
});

test("webhooks are sent at most once a second, and always after the last change", async () => {
  const { webhook } = await withDueWebhook("/busy");
  await until(() => sent.length > 0);
  for (let number = 1; number < 40; number++) await change(webhook);
  await untilIdle();
  expect(await stateOf(webhook)).toMatchObject({ sent: 40, failures: 0 });
  const { deliveries } = await findWebhook(owner, webhook.id);
  const times = deliveries.map(({ at }) => Date.parse(at)).toReversed();
  expect(times.length).toBeGreaterThan(1);
  for (const [index, at] of times.slice(1).entries())
    expect(at - (times[index] ?? 0)).toBeGreaterThan(990);
});

test("a change during a delivery is reported by a second webhook", async () => {
  const held: ServerResponse[] = [];
  const { webhook } = await withDueWebhook("/slow", (response) => void held.push(response));
  await until(() => held.length === 1);
  await change(webhook, "deletions");
  held[0]?.end();
  await until(() => held.length === 2);
  held[1]?.end();
  expect(kindsOf("/slow")).toEqual([["responses"], ["deletions"]]);
});

test("a failed webhook is retried with the same id and body, with exponential backoff", async () => {
  const { webhook, secret } = await withDueWebhook("/failing", (response) =>
    response.writeHead(500).end("we are <b>away</b>\n"),
  );
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 4; attempt++) {
    if (attempt > 1) await pass(webhook, "1 hour");
    await untilState(webhook, { failures: attempt, sent: 0 });
    waits.push(await pauseOf(webhook));
  }
  expect(waits.map((wait) => Math.round(Math.log(wait / 5) / Math.log(4)) + 0)).toEqual([
    0, 1, 2, 3,
  ]);
  answers.delete("/failing");
  await pass(webhook, "1 hour");
  await until(() => sent.includes("arrived"));
  const all = heard("/failing");
  expect(new Set(all.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(new Set(all.map(({ body }) => body)).size).toBe(1);
  for (const { headers, body } of all) new Verifier(secret).verify(body, headers);
  await untilState(webhook, { failures: 0, failing: false, sent: 1 });
  const { deliveries } = await findWebhook(owner, webhook.id);
  expect(deliveries[0]).toMatchObject({ status: 204, error: null, body: "" });
  expect(deliveries[1]).toMatchObject({
    status: 500,
    error: "it answered 500",
    body: "we are <b>away</b>",
  });
});

test("after three days of failed webhooks, an endpoint is paused, with a feed entry and a log record", async () => {
  const { webhook } = await withDueWebhook("/dead", (response) => response.writeHead(503).end());
  await untilState(webhook, { failures: 1, status: "active" });
  await pass(webhook, "71 hours 59 minutes");
  await untilState(webhook, { failures: 2, status: "active" });
  await pass(webhook, "2 hours");
  await untilState(webhook, { failures: 3, status: "paused" });
  const entries = (await readChanges(owner, webhook.clientId, null, 100))?.changes;
  expect(entries?.filter(({ kind }) => kind === "webhook")).toMatchObject([
    { connectionId: null, shopId: null },
  ]);
  await expect.poll(() => logged.join("")).toContain("an endpoint was paused");
  expect(logged.join("")).not.toContain("localhost");
  await pass(webhook, "1 day");
  await untilIdle();
  expect(sent).toHaveLength(3);
  await setWebhookStatus(owner, webhook, "active", operator);
  await noteRelay(owner)();
  await untilState(webhook, { failures: 1, status: "active" });
  answers.delete("/dead");
  await pass(webhook, "1 hour");
  await until(() => sent.includes("arrived"));
});

test("a failed webhook is not retried before the time in Retry-After", async () => {
  const { webhook } = await withDueWebhook("/later", (response) =>
    response.writeHead(429, { "retry-after": "600" }).end(),
  );
  await untilState(webhook, { failures: 1 });
  expect(Math.round((await pauseOf(webhook)) / 10)).toBe(60);
  const waiting = await owner<
    { at: Date }[]
  >`SELECT start_after AS at FROM worker_jobs.job WHERE state = 'created'`;
  expect(waiting.map(({ at }) => at)).toEqual([(await stateOf(webhook))?.next]);
});

test.each([
  [307, "active"],
  [404, "active"],
  [410, "paused"],
])("a webhook that fails with the status %i leaves its endpoint %s", async (status, left) => {
  const { webhook } = await withDueWebhook("/odd", (response) => response.writeHead(status).end());
  await until(() => sent.length === 1);
  expect(sent).toEqual(["not_arrived"]);
  expect(await stateOf(webhook)).toMatchObject({ status: left });
});

test("a client that is disabled or deleted, or whose endpoint is paused, gets no webhook", async () => {
  const paths = ["/1", "/2", "/3", "/4"];
  const [disabled, deleted, paused, working] = await Promise.all(
    paths.map((path) => endpoint(path)),
  );
  if (!disabled || !deleted || !paused || !working) throw new Error("unreachable");
  for (const { webhook } of [disabled, deleted, paused, working]) await change(webhook);
  await setClientStatus(owner, disabled.webhook.clientId, "disabled", operator);
  await deleteClient(owner, deleted.webhook.clientId);
  await setWebhookStatus(owner, paused.webhook, "paused", operator);
  startSender();
  await untilIdle();
  expect(paths.map((path) => heard(path).length)).toEqual([0, 0, 0, 1]);
  await setClientStatus(owner, disabled.webhook.clientId, "active", operator, true);
  await until(() => heard("/1").length === 1);
});

test("the time for which a client was disabled doesn't count towards pausing its endpoint", async () => {
  const { webhook } = await withDueWebhook("/enabled", (response) => response.writeHead(503).end());
  await untilState(webhook, { failures: 1 });
  await setClientStatus(owner, webhook.clientId, "disabled", operator);
  await pass(webhook, "3 days");
  await setClientStatus(owner, webhook.clientId, "active", operator, true);
  await until(() => sent.length === 2);
  expect(await stateOf(webhook)).toMatchObject({ status: "active", failures: 1 });
});

test("if the worker lacks an endpoint's key, the webhook is retried and doesn't count as the endpoint's failure", async () => {
  const { webhook } = await endpoint("/key");
  startSender({ keys: parseWebhookKeys("another-key-of-32-characters....") });
  await change(webhook);
  await until(() => logged.join("").includes("WEBHOOK_KEY_FILE lacks the key"));
  expect(heard("/key")).toEqual([]);
  expect(await stateOf(webhook)).toMatchObject({ failures: 0 });
  const retry = () =>
    owner`SELECT start_after >= started_on + interval '5 s' AS late FROM worker_jobs.job WHERE state = 'retry'`;
  await expect.poll(retry).toEqual([{ late: true }]);
  expect(logged.join("")).not.toContain(KEY);
});

test("a test webhook is sent even if the endpoint is paused", async () => {
  const { webhook } = await endpoint("/asked");
  await setWebhookStatus(owner, webhook, "paused", operator);
  startSender();
  const asked = await requestTest(owner, webhook, operator);
  await expect
    .poll(() => findWebhook(owner, webhook.id))
    .toMatchObject({ deliveries: [{ id: asked, status: 204 }] });
  expect(JSON.parse(heard("/asked")[0]?.body ?? "")).toMatchObject({
    type: "changes",
    data: { kinds: [] },
  });
  expect(await stateOf(webhook)).toMatchObject({ status: "paused" });
});

test("endpoints that never respond don't delay webhooks to other endpoints", {
  timeout: 300_000,
}, async () => {
  let most = 0;
  let open = 0;
  const dead = createTcpServer((socket) => {
    most = Math.max(most, ++open);
    socket.resume();
    socket.on("close", () => open--).on("error", () => {});
  }).listen(0, "127.0.0.1");
  await once(dead, "listening");
  const { webhook } = await endpoint("/model");
  const deadUrl = `http://localhost:${(dead.address() as AddressInfo).port}/`;
  await owner`
      INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types)
      SELECT 'client_many' || i, 'Many ' || i, '{}', '{}', '{}' FROM generate_series(1, 400) AS i`;
  await owner`
      INSERT INTO oauth.webhooks (client_id, url, secrets, sent_number)
      SELECT 'client_many' || i, CASE WHEN i % 5 = 0 THEN ${deadUrl} ELSE ${at("/many")} || i END,
        (SELECT secrets FROM oauth.webhooks WHERE id = ${webhook.id}), 0
      FROM generate_series(1, 400) AS i`;
  const entry = {
    connectionId: "con",
    shopId: "shop",
    kind: "responses" as const,
    at: new Date(),
  };
  const entries = Array.from({ length: 400 }, (_, index) => ({
    clientId: `client_many${index + 1}`,
    ...entry,
  }));
  const arrived = () => sent.filter((outcome) => outcome === "arrived").length;
  startSender();
  const failing = async () => (await owner`SELECT FROM oauth.webhooks WHERE failures > 0`).length;
  await appendChanges(owner, entries);
  await expect.poll(failing, { timeout: 60_000, interval: 200 }).toBe(80);
  await until(() => arrived() === 320);
  // At first no worker knows which endpoints are dead. Afterwards dead ones have separate lanes.
  await until(() => open <= 64);
  most = 0;
  await owner`UPDATE oauth.webhooks SET next_attempt_at = now()`;
  await owner`UPDATE worker_jobs.job SET start_after = now()`;
  await appendChanges(owner, entries);
  await until(() => arrived() === 640);
  // A dead endpoint is tried again once one of the separate lanes is free.
  await until(() => most > 0);
  expect(most).toBeLessThanOrEqual(64);
  dead.close();
});

test("if two workers send webhooks, each endpoint still gets a webhook once", async () => {
  const all = await Promise.all(Array.from({ length: 30 }, (_, index) => endpoint(`/one${index}`)));
  const other = connectDatabase(database.workerUrl, { name: "other worker", connections: 2 });
  startSender();
  startSender({ sql: other });
  for (const { webhook } of all) await change(webhook);
  await untilIdle();
  expect(sent).toHaveLength(30);
  for (const index of all.keys()) expect(heard(`/one${index}`)).toHaveLength(1);
  await Promise.all(senders.splice(0).map((sender) => sender.close()));
  await other.end();
});
