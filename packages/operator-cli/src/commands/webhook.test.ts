import { appendChanges, noteRelay, readChanges } from "@partner-connect/connections/changes";
import {
  type Delivery,
  dueWebhook,
  recordDelivery,
  testWebhook,
} from "@partner-connect/connections/webhooks";
import { onboardClient } from "@partner-connect/directory/testing";
import { afterEach, expect, test, vi } from "vitest";
import { operatorOnOwnDatabase, refused, stderrOf } from "../testing.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const URL_ = "https://8.8.8.8/hooks?token=of-the-partner";
const { sql, cli } = await operatorOnOwnDatabase({ WEBHOOK_KEY: KEY });

afterEach(() => vi.restoreAllMocks());

async function endpoint() {
  const { clientId } = await onboardClient(sql);
  return await cli.json("webhook add --client", clientId, "--url", URL_);
}

/** Replaces the worker: sends nothing, and stores this outcome for what is due, or for a test. */
async function notify(
  { id, client_id }: { id: string; client_id: string },
  outcome: Partial<Delivery>,
): Promise<void> {
  const due = await vi.waitUntil(async () => {
    const [job] = await sql<{ test: string }[]>`
      DELETE FROM worker_jobs.job WHERE name = 'webhook_test' AND data ->> 'id' = ${id} RETURNING data ->> 'test' AS test`;
    if (job) return await testWebhook(sql, client_id, id, job.test);
    return await dueWebhook(sql, client_id, id);
  }, 15_000);
  const answered = { milliseconds: 12, status: 200, error: null, body: "" };
  await recordDelivery(sql, due, {
    id: due.id,
    at: new Date().toISOString(),
    ...answered,
    ...outcome,
  });
}

const audited = async (action: string, webhookId: string) => {
  const records = await sql<{ details: object; actor: string }[]>`
    SELECT details, actor FROM directory.audit_log WHERE event = ${action} AND details ->> 'webhook_id' = ${webhookId}`;
  return records.map(({ details }) => details);
};

test("webhook add prints the endpoint with its secret, and the database contains no plain secret", async () => {
  const added = await endpoint();
  expect(added).toEqual({
    id: expect.stringMatching(/^whk_[0-9a-f]{32}$/),
    client_id: expect.stringMatching(/^client_/),
    url: URL_,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    former_secret_expires_at: null,
  });
  expect(await audited("webhook_add", added.id)).toEqual([
    { webhook_id: added.id, host: "8.8.8.8" },
  ]);
  const stored = JSON.stringify([
    await sql`SELECT * FROM oauth.webhooks`,
    await sql`SELECT * FROM directory.audit_log`,
  ]);
  for (const secret of [KEY, added.secret.slice(6)]) expect(stored).not.toContain(secret);
  expect((await cli("webhook show", added.id)).stdout).not.toContain("whsec_");
});

test("if no name server is reached, webhook add succeeds with a note", async () => {
  const { clientId } = await onboardClient(sql);
  const told = await cli("webhook add --url https://hooks.partner.invalid/ --client", clientId);
  expect(told).toMatchObject({
    code: 0,
    stderr: stderrOf("webhook_add", /note: .*can't be resolved from here; .*webhook test.*\n/),
  });
});

test("webhook list and show print the URL and the last deliveries, and no secret", async () => {
  const { id, client_id } = await endpoint();
  const time = expect.stringMatching(/Z$/);
  const expected = {
    id,
    client_id,
    url: URL_,
    status: "active",
    failing_since: null,
    created_at: time,
  };
  expect(await cli.json("webhook list")).toContainEqual(expected);
  expect(await cli.json("webhook list --client", client_id)).toEqual([expected]);
  expect((await cli("webhook show", id)).stdout).toContain("No webhook was sent yet.");
  const change = {
    connectionId: "con_1",
    shopId: "shop_1",
    kind: "responses",
    at: new Date(),
  } as const;
  await appendChanges(sql, [{ clientId: client_id, ...change }]);
  await notify(
    { id, client_id },
    { status: 500, error: "it answered 500", body: "<h1>\u001b[31mOops" },
  );
  const shown = await cli.json("webhook show", id);
  expect(shown).toMatchObject({
    ...expected,
    failing_since: time,
    secrets: [{ expires_at: null }],
  });
  const delivery = {
    hint_id: expect.stringMatching(/^msg_/),
    arrived: false,
    status: 500,
    milliseconds: 12,
  };
  expect(shown.deliveries).toMatchObject([delivery]);
  const told = await cli("webhook show", id);
  expect(told.stdout).toMatch(/ 500 +12 +msg_\w+ +it answered 500 +<h1> \[31mOops\n$/);
  expect((await cli("webhook list")).stdout).toMatch(
    new RegExp(`${id} +active +https://8\\S+ +20`),
  );
});

test("webhook rotate-secret is refused during an overlap, except with --now and a confirmation", async () => {
  const { id } = await endpoint();
  const rotated = await cli.json("webhook rotate-secret", id, "--overlap", "2h");
  expect(rotated.former_secret_expires_at).toMatch(/Z$/);
  const underWay = /still overlaps the former one, until 20\S+Z; wait until then, or give --now/;
  expect(await cli("webhook rotate-secret", id)).toEqual(refused(underWay));
  for (const end of [["--now"], ["--overlap", "0s"]])
    expect(await cli.declined("webhook rotate-secret", id, ...end)).toMatch(
      /refuses its webhooks until the secret is installed[\s\S]*cancelled/,
    );
  const now = await cli.json("webhook rotate-secret", id, "--now");
  expect(now.former_secret_expires_at).toBeNull();
});

test("webhook pause and resume appear in 'client show', in the feed and in the audit log", async () => {
  const { id, client_id } = await endpoint();
  expect(await cli.json("webhook pause", id)).toMatchObject({ id, status: "paused" });
  await cli.json("webhook pause", id);
  expect((await cli("client show", client_id)).stdout).toMatch(new RegExp(`${id} +paused +https`));
  expect((await cli.json("client show", client_id)).webhooks).toEqual([
    expect.objectContaining({ id, status: "paused" }),
  ]);
  const relay = noteRelay(sql);
  const entries = async () => {
    while ((await relay()).notes > 0);
    return (await readChanges(sql, client_id, null, 10))?.changes;
  };
  expect(await entries()).toEqual([
    expect.objectContaining({ kind: "webhook", connectionId: null, shopId: null, number: 1 }),
  ]);
  expect(await cli.json("webhook resume", id)).toMatchObject({ id, status: "active" });
  expect(await entries()).toEqual([expect.objectContaining({ kind: "webhook", number: 2 })]);
  expect([await audited("webhook_pause", id), await audited("webhook_resume", id)]).toEqual([
    [{ webhook_id: id }],
    [{ webhook_id: id }],
  ]);
  // The feed has one status for all endpoints, which may change when a paused one is removed.
  await cli("webhook pause", id);
  await cli("webhook remove", id, "--yes");
  expect(await entries()).toEqual([expect.objectContaining({ kind: "webhook", number: 3 })]);
});

test("webhook test queues a test webhook for the worker, and prints the outcome", async () => {
  const added = await endpoint();
  const { id } = added;
  const [arrived] = await Promise.all([
    cli.atTerminal()("webhook test", id),
    notify(added, { body: "thanks" }),
  ]);
  expect(arrived.stderr).toMatch(/waiting for the worker/);
  expect(arrived.stdout).toMatch(
    /^The webhook arrived: https:\S+ answered 200 \(12 ms\)\.\nThe response begins: thanks\n$/,
  );
  const [failed] = await Promise.all([
    cli("webhook test", id, "--json"),
    notify(added, { status: null, error: "ECONNREFUSED" }),
  ]);
  expect([failed.code, JSON.parse(failed.stdout)]).toEqual([
    1,
    expect.objectContaining({ id, arrived: false, status: null, error: "ECONNREFUSED" }),
  ]);
  expect(await audited("webhook_test", id)).toHaveLength(2);
});

test("if no worker sends the test webhook within 20 s, webhook test fails with a remedy", async () => {
  const { id } = await endpoint();
  const now = Date.now();
  let call = 0;
  // The clock advances by some seconds each time it is read.
  vi.spyOn(Date, "now").mockImplementation(() => now + 5000 * call++);
  expect(await cli("webhook test", id)).toEqual(
    refused(/no worker has sent the webhook within 20 s; is a worker running/, 1, ["webhook_test"]),
  );
});

test("webhook add is refused for an unknown client, and for a client with ten endpoints", async () => {
  const { clientId } = await onboardClient(sql);
  const add = (client: string) => cli("webhook add --client", client, "--url", URL_);
  expect(await add("client_x")).toEqual(refused(/no client/));
  for (let number = 0; number < 10; number++)
    expect(await add(clientId)).toMatchObject({ code: 0 });
  expect(await add(clientId)).toEqual(refused(/has 10 endpoints, as many as it may have/));
});

test("webhook add is refused without WEBHOOK_KEY, or with one shorter than 32 characters", async () => {
  const { clientId } = await onboardClient(sql);
  const words = ["webhook add --client", clientId, "--url", URL_];
  expect(await cli.with({ WEBHOOK_KEY: undefined })(...words)).toEqual(
    refused(/WEBHOOK_KEY_FILE is not set; .*openssl/),
  );
  expect(await cli.with({ WEBHOOK_KEY: "short" })(...words)).toEqual(
    refused(/shorter than 32 characters/),
  );
});
