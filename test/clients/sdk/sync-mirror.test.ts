import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { PartnerConnect } from "@partner-connect/partner-sdk";
import { SqliteStore } from "@partner-connect/partner-sdk/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import {
  onboardApiKey,
  onboardClient,
  onboardMerchant,
  onboardShop,
  REDIRECT_URI,
  type ShopRecord,
} from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { mainStack } from "../../harness/stack/stacks.ts";
import {
  differences,
  linesOf,
  madeUpLines,
  recordsOf,
  type ShopKeeper,
  shopKeeper,
  withoutTimes,
} from "./sync-world.ts";

const SCRIPT = fileURLToPath(new URL("mirror.main.ts", import.meta.url));
const [COUNT, KILLS] = process.env["TEST_NIGHTLY"] ? [100_000, 10] : [30_000, 4];
const stack = mainStack();
let folder: string;
let keeper: ShopKeeper;

beforeAll(async () => {
  keeper = shopKeeper(stack);
  folder = await mkdtemp(join(tmpdir(), "partner-connect-mirror-"));
});
afterAll(async () => await Promise.all([keeper.close(), rm(folder, { recursive: true })]));

test(`a script of 40 lines mirrors ${COUNT} responses while they change, is killed ${KILLS} times, ends with exactly the shop's, and goes on when shops are lost`, async () => {
  expect((await readFile(SCRIPT, "utf8")).trimEnd().split("\n").length).toBeLessThanOrEqual(40);
  const [client, merchant] = await Promise.all([onboardClient(stack), onboardMerchant(stack)]);
  // The first two are lost in the end, so that the mirrored one comes after them.
  const [revokedShop, heldShop] = [await onboardShop(stack, merchant), await onboardShop(stack, merchant)];
  const shop = await onboardShop(stack, merchant);
  const lines = madeUpLines(COUNT, "mirror");
  const [{ key }] = await Promise.all([onboardApiKey(stack, shop), keeper.import(shop.id, lines)]);

  const env = {
    PATH: process.env["PATH"],
    BASE_URL: stack.base_url,
    CLIENT_ID: client.clientId,
    CLIENT_SECRET: client.secret,
    CONNECTIONS: join(folder, "connections.db"),
    MIRROR: join(folder, "mirror.db"),
  };
  const store = new SqliteStore(env.CONNECTIONS);
  const { clientId, secret: clientSecret } = client;
  const partnerConnect = new PartnerConnect({ baseUrl: stack.base_url, clientId, clientSecret, store });
  const browser = merchantBrowser(merchant);
  const connect = async (to: ShopRecord): Promise<string> => {
    const asked = { redirectUri: REDIRECT_URI, scope: ["responses:read"] };
    const { url, pending } = await partnerConnect.beginAuthorization(asked);
    return (await partnerConnect.completeAuthorization(await browser.approve(url, to), pending)).id;
  };
  const revoked = await connect(revokedShop);
  const held = await connect(heldShop);
  const connectionId = await connect(shop);
  const startMirror = (stderr: "inherit" | "pipe" = "inherit"): ChildProcess =>
    spawn(process.execPath, [SCRIPT], { env, stdio: ["ignore", "inherit", stderr] });

  const records: { id: string }[] = lines.map((line) => JSON.parse(line));
  const ids = records.map(({ id }) => id);
  let isOver = false;
  const changes = (async () => {
    for (let round = 0; !isOver; round++) {
      const from = (round * 7919) % (COUNT - 3000);
      await keeper.recategorize(shop.id, ids.slice(from, from + 2000), `Category ${round}`);
      await keeper.delete(shop.id, ids.slice(from + 1500, from + 3000));
      await keeper.import(shop.id, linesOf(records.slice(from + 2000, from + 2700).map(withoutTimes)));
      await sleep(100);
    }
  })();

  // It waits while a script that was started after a kill recovers the file.
  const mirrored = new DatabaseSync(env.MIRROR, { timeout: 10_000 });
  const killedAt: string[] = [];
  let killedWhileCopying = 0;
  while (killedAt.length < KILLS) {
    const before = progress(mirrored, connectionId);
    const mirror = startMirror();
    const exited = once(mirror, "exit");
    // The first ones when it has begun to copy, the others at any moment.
    while (killedAt.length < KILLS / 2 && progress(mirrored, connectionId) === before && mirror.exitCode === null)
      await sleep(5);
    await Promise.race([sleep(Math.random() * (killedAt.length < KILLS / 2 ? 50 : 1500)), exited]);
    if (!mirror.kill("SIGKILL")) continue; // it was done
    await exited;
    killedAt.push(progress(mirrored, connectionId));
    if (progress(mirrored, connectionId).includes('"copying":true')) killedWhileCopying += 1;
  }
  isOver = true;
  await changes;
  await operator(stack, ["connection", "revoke", revoked, "--yes"]);
  await operator(stack, ["connection", "disable", held, "--yes"]);
  const last = startMirror("pipe");
  const said: string[] = [];
  last.stderr?.on("data", (line) => said.push(String(line)));
  const [code] = await once(last, "close");
  expect([code, said.join("")]).toEqual([1, expect.stringContaining(`${revokedShop.name}: reconnect_required, `)]);
  expect(said.join("")).toContain(`${heldShop.name}: reconnect_required, `);

  const rows = mirrored.prepare("SELECT id, record FROM responses WHERE connection = ?").all(connectionId);
  const copy = new Map(rows.map(({ id, record }) => [String(id), JSON.parse(String(record))]));
  const truth = await recordsOf(stack, key);
  expect(differences(copy, truth), `killed at ${killedAt.join("\n")}`).toEqual([]);
  expect(copy.size).toBeGreaterThan(COUNT / 2);
  expect(killedWhileCopying).toBeGreaterThanOrEqual(KILLS / 2);
}, 300_000);

/** The state of the copy; empty until there is one. */
function progress(mirror: DatabaseSync, connectionId: string): string {
  try {
    return String(mirror.prepare("SELECT state FROM sync WHERE connection = ?").get(connectionId)?.["state"] ?? "");
  } catch {
    return ""; // the script has not made the table yet
  }
}
