import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { PartnerConnect, type StoredConnection } from "@partner-connect/partner-sdk";
import { SqliteStore } from "@partner-connect/partner-sdk/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ManyConnections, manyConnections } from "../../harness/actors/many-connections.ts";
import { mainStack } from "../../harness/stack/stacks.ts";
import { differences, linesOf, madeUpLines, type ShopKeeper, shopKeeper, withoutTimes } from "./sync-world.ts";

const SCRIPT = fileURLToPath(new URL("follow.main.ts", import.meta.url));
const [SHOPS, COUNT, KILLS] = process.env["TEST_NIGHTLY"] ? [40, 3000, 30] : [12, 1000, 6];
const stack = mainStack();
let folder: string;
let keeper: ShopKeeper;
let many: ManyConnections;
let store: SqliteStore;
let partnerConnect: PartnerConnect;
let env: Record<string, string | undefined>;

beforeAll(async () => {
  keeper = shopKeeper(stack);
  folder = await mkdtemp(join(tmpdir(), "partner-connect-follow-"));
  many = await manyConnections(stack, SHOPS);
  const { clientId, secret: clientSecret } = many.client;
  env = {
    PATH: process.env["PATH"],
    BASE_URL: stack.base_url,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    CONNECTIONS: join(folder, "connections.db"),
    MIRROR: join(folder, "mirror.db"),
  };
  store = new SqliteStore(join(folder, "connections.db"));
  partnerConnect = new PartnerConnect({ baseUrl: stack.base_url, clientId, clientSecret, store });
});
afterAll(async () => {
  store?.close();
  await Promise.all([keeper?.close(), rm(folder, { recursive: true })]);
});

const startFollowing = (): ChildProcess =>
  spawn(process.execPath, [SCRIPT], { env, stdio: ["ignore", "inherit", "inherit"] });

/** What the copy of this connection has. */
function copyOf(mirror: DatabaseSync, { id }: StoredConnection): Map<string, unknown> {
  const rows = mirror.prepare("SELECT id, record FROM responses WHERE connection = ?").all(id);
  return new Map(rows.map((row) => [String(row["id"]), JSON.parse(String(row["record"]))]));
}

/** Whether there is a copy: on a busy machine the program may be killed before it has made any. */
function hasMirror(): boolean {
  try {
    const mirror = openMirror();
    mirror.prepare("SELECT 1 FROM responses LIMIT 1").get();
    mirror.close();
    return true;
  } catch {
    return false;
  }
}

// It waits while a program that was started after a kill recovers the file.
const openMirror = () => new DatabaseSync(env["MIRROR"] ?? "", { readOnly: true, timeout: 10_000 });

async function truthOf({ id }: StoredConnection): Promise<Map<string, unknown>> {
  const truth = new Map<string, unknown>();
  for await (const record of partnerConnect.shop(id).listResponses()) truth.set(record.id, record);
  return truth;
}

async function untilSame(mirror: DatabaseSync, connection: StoredConnection): Promise<void> {
  for (const end = Date.now() + 60_000; ; await sleep(100)) {
    const different = differences(copyOf(mirror, connection), await truthOf(connection));
    if (different.length === 0) return;
    if (Date.now() > end) expect(different, `of ${connection.id}`).toEqual([]);
  }
}

test(`copies of ${SHOPS} shops that change, begin and end are exactly the shops', however their program is killed, ${KILLS} times`, async () => {
  const ended = many.connections.slice(0, 2);
  const late = many.connections.slice(2, 4);
  const lines = new Map(many.connections.map(({ id }) => [id, madeUpLines(COUNT, id)]));
  await Promise.all(many.connections.map(({ id, shop }) => keeper.import(shop.id, lines.get(id) ?? [])));
  for (const connection of many.connections) if (!late.includes(connection)) await store.put(connection);

  let isOver = false;
  const changes = (async () => {
    for (let round = 0; !isOver; round++) {
      const { id, shop } = many.connections[(round * 7) % SHOPS] as StoredConnection;
      const records: { id: string }[] = (lines.get(id) ?? []).map((line) => JSON.parse(line));
      const from = (round * 131) % (COUNT - 200);
      const ids = records.slice(from, from + 200).map((record) => record.id);
      await keeper.recategorize(shop.id, ids.slice(0, 100), `Category ${round}`);
      await keeper.delete(shop.id, ids.slice(80, 160));
      await keeper.import(shop.id, linesOf(records.slice(from + 100, from + 130).map(withoutTimes)));
      await sleep(20);
    }
  })();

  for (let kill = 0; kill < KILLS; kill++) {
    const following = startFollowing();
    if (kill === 0) await expect.poll(hasMirror, { timeout: 60_000 }).toBe(true);
    await sleep(700 + Math.random() * 1500);
    if (kill === 1) await Promise.all(late.map((connection) => store.put(connection)));
    if (kill === 2) await Promise.all(ended.map(({ id }) => partnerConnect.disconnect(id)));
    expect(following.kill("SIGKILL")).toBe(true);
    await once(following, "exit");
  }
  isOver = true;
  await changes;

  // Two at once, at the end.
  const following = [startFollowing(), startFollowing()];
  await sleep(1000);
  const mirror = openMirror();
  try {
    for (const connection of many.connections) if (!ended.includes(connection)) await untilSame(mirror, connection);
    const statuses = () => mirror.prepare("SELECT connection FROM connections WHERE status = 'revoked'").all();
    await expect
      .poll(() => new Set(statuses().map((row) => row["connection"])), { timeout: 30_000 })
      .toEqual(new Set(ended.map(({ id }) => id)));
    const { shop, id } = many.connections.at(-1) as StoredConnection;
    const from = Date.now();
    await keeper.import(
      shop.id,
      linesOf([{ ...JSON.parse(lines.get(id)?.[0] ?? ""), id: "one-more" }].map(withoutTimes)),
    );
    await expect.poll(() => copyOf(mirror, { id } as StoredConnection).has("one-more"), { timeout: 60_000 }).toBe(true);
    console.log(`in the copy after ${Date.now() - from} ms`);
  } finally {
    mirror.close();
    for (const one of following) {
      one.kill("SIGKILL");
      await once(one, "exit");
    }
  }
}, 300_000);

test("the server's list has what the store has lost, and a connection that is disconnected ends at the server", async () => {
  const { connections, client } = await manyConnections(stack, 3);
  const { clientId, secret: clientSecret } = client;
  const own = new SqliteStore(":memory:");
  const partner = new PartnerConnect({ baseUrl: stack.base_url, clientId, clientSecret, store: own });
  const [first, second] = connections as [StoredConnection, StoredConnection];
  await own.put(first);
  expect((await partner.shop(first.id).connection()).id).toBe(first.id);
  await partner.disconnect(first.id);
  expect(await own.get(first.id)).toBeNull();
  await expect(partner.disconnect(first.id)).rejects.toMatchObject({ code: "unknown_connection" });

  const listed = [];
  for await (const { id, status } of partner.listConnections({ limit: 2 })) listed.push([id, status]);
  const expected = connections.map(({ id }) => [id, id === first.id ? "revoked" : "connected"]);
  expect(listed).toEqual(expected.toSorted(([one = ""], [other = ""]) => (one < other ? -1 : 1)));
  await own.put(first);
  await expect(partner.shop(first.id).connection()).rejects.toMatchObject({ code: "reconnect_required" });
  await own.put({ ...second, refreshToken: "pcr_junk" });
  await partner.disconnect(second.id);

  const wrong = new PartnerConnect({ baseUrl: stack.base_url, clientId, clientSecret: "pcs_wrong", store: own });
  await expect(wrong.listConnections().next()).rejects.toMatchObject({ code: "invalid_client" });
  await expect(wrong.changes()).rejects.toMatchObject({
    code: "invalid_client",
    message: expect.stringContaining("client_secret by HTTP Basic"),
  });
  await expect(partner.changes({ after: "edited" })).rejects.toMatchObject({ code: "invalid_request", param: "after" });
  await expect
    .poll(async () => (await partner.changes({ limit: 1000 })).data.length, { timeout: 10_000 })
    .toBeGreaterThan(3);
});
