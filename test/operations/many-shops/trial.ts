import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { connectDatabase, type Sql } from "@partner-connect/database";
import { SqliteStore } from "@partner-connect/partner-sdk/sqlite";
import { onTestFinished } from "vitest";
import { onboardClient, onboardMerchant } from "../../harness/actors/onboarding.ts";
import { seededRandom } from "../../harness/faults/seeded-random.ts";
import { until } from "../../harness/stack/processes.ts";
import { startOwnStack } from "../../harness/stack/stacks.ts";
import { reportRow } from "../row.ts";
import { Shops } from "./shops.ts";

/** The limits are those of production. */
const ENV = { TOKEN_RATE_LIMIT: "10", API_RATE_LIMIT: "600", WORKER_REPLICAS: "2" };
const MIRROR = fileURLToPath(new URL("mirror.main.ts", import.meta.url));
/** The kinds of processes that are killed. */
const VICTIMS = [/^partner$/, /^authorization-server-/, /^resource-server-\d/, /^worker-/, /^postgres$/, /redis$/];

export interface TrialOptions {
  readonly shops: number;
  /** Of each kind of process. */
  readonly kills: number;
  readonly killEveryMs: number;
  readonly eventEveryMs: number;
  /** How long the mirror may take to be like the shops once nothing happens any more. */
  readonly settleSeconds: number;
}

/**
 * Many shops of one client on one address, while processes of each kind are killed (SIGKILL), in random order, and shops change.
 * Returns where the partner's mirror differs at the end.
 */
export async function trial(options: TrialOptions): Promise<string[]> {
  const began = performance.now();
  const seed = Number(process.env["TRIAL_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  console.info(`the trial of ${options.shops} shops has the seed ${seed} (TRIAL_SEED)`);
  const stack = await startOwnStack({ ownStores: true, env: ENV });
  onTestFinished(() => stack.stop());
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-partner-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const sql = connectDatabase(stack.now.database_url, { name: "test", connections: 6 });
  onTestFinished(() => sql.end({ timeout: 2 }));
  const client = await onboardClient(stack.now, { scope: "responses:read" });
  const merchant = await onboardMerchant(stack.now);
  const [row] = await sql<{ id: string }[]>`SELECT id FROM directory.merchants WHERE email = ${merchant.email}`;
  const shops = new Shops(sql, client.clientId, row?.id ?? "", seededRandom(seed));
  const store = new SqliteStore(join(folder, "connections.db"));
  await shops.make(options.shops);
  // Some are connected later.
  for (const shop of shops.all.filter((_, index) => index % 10 > 0)) await store.put(await shops.connect(shop));
  const partner = startPartner(folder, {
    ...{ BASE_URL: stack.now.base_url, CLIENT_ID: client.clientId, CLIENT_SECRET: client.secret },
  });
  onTestFinished(() => partner.stop());
  const endEvents = shops.keepHappening(options.eventEveryMs, (connection) => store.put(connection));

  const random = seededRandom(seed + 1);
  const order = Array.from({ length: options.kills }, () => VICTIMS)
    .flat()
    .map((kind) => [random(), kind] as const)
    .toSorted(([one], [other]) => one - other);
  const running = (kind: RegExp) =>
    [...stack.now.processes, ...partner.processes()].filter(({ name }) => kind.test(name));
  for (const [, kind] of order) {
    await sleep(options.killEveryMs * (0.5 + random()));
    await until(() => running(kind).length > 0);
    const found = running(kind);
    const victim = found[Math.floor(random() * found.length)] as (typeof found)[number];
    process.kill(victim.pid, "SIGKILL");
    await until(() => running(kind).some(({ name, pid }) => name === victim.name && pid !== victim.pid));
  }
  await endEvents();

  const over = performance.now();
  const differ = () => differences(sql, client.clientId, folder);
  let found = await differ();
  while (found.length > 0 && performance.now() - over < options.settleSeconds * 1000) {
    await sleep(500);
    found = await differ();
  }
  const calls = readFileSync(join(folder, "calls.log"), "utf8").trim().split("\n");
  console.info(
    "events",
    shops.counts,
    `repeated: ${shops.repeated}`,
    "\nthe partner printed",
    partner.output().slice(-4000),
  );
  reportRow({
    scenario: `${options.shops} shops of one client on one address, ${order.length} kills`,
    ...{ requests: calls.length, failed: 0, wrong: found.length, seconds: (performance.now() - began) / 1000 },
    note: `${calls.filter((call) => call.startsWith("/oauth/api/token")).length} token calls; settled within ${((performance.now() - over) / 1000).toFixed(1)} s`,
  });
  return found;
}

/** The partner's program, started again whenever it ends, as by a supervisor. */
function startPartner(folder: string, env: Readonly<Record<string, string>>) {
  let isOver = false;
  let child: ChildProcess | null = null;
  const log = openSync(join(folder, "output.log"), "a");
  const running = (async () => {
    while (!isOver) {
      child = spawn(process.execPath, [MIRROR], {
        env: { ...process.env, ...env, FOLDER: folder },
        stdio: ["ignore", log, log],
      });
      await once(child, "exit");
      child = null;
      await sleep(200);
    }
  })();
  return {
    processes: () => (child?.pid === undefined ? [] : [{ name: "partner", pid: child.pid }]),
    output: () => readFileSync(join(folder, "output.log"), "utf8"),
    async stop() {
      isOver = true;
      child?.kill("SIGKILL");
      await running;
      closeSync(log);
    },
  };
}

/** Where the partner's mirror differs from the shops: one line a shop. */
async function differences(sql: Sql, clientId: string, folder: string): Promise<string[]> {
  const shops = await sql<{ shopId: string; connectionId: string; status: string; records: Record<string, string> }[]>`
    SELECT c.shop_id AS "shopId", c.id AS "connectionId", CASE WHEN c.disabled THEN 'disabled' ELSE c.status END AS status,
      (SELECT coalesce(jsonb_object_agg(r.id, (r.doc::json -> 'response')::text), '{}') FROM survey.responses r WHERE r.shop_id = c.shop_id) AS records
    FROM oauth.connections c WHERE c.client_id = ${clientId} AND c.connected_at IS NOT NULL`;
  const copy = new DatabaseSync(join(folder, "copy.db"), { timeout: 10_000 });
  try {
    const rows = copy.prepare("SELECT shop_id, id, record FROM responses").all();
    const copied = Map.groupBy(rows, (row) => String(row["shop_id"]));
    const statuses = new Map(
      copy
        .prepare("SELECT id, status FROM connections")
        .all()
        .map((row) => [row["id"], row["status"]]),
    );
    return shops.flatMap(({ shopId, connectionId, status, records }) => {
      const known = statuses.get(connectionId) ?? "unknown";
      if (known !== status) return [`${connectionId} of ${shopId}: ${known} for the partner, ${status} here`];
      const wanted = status === "revoked" ? {} : records;
      const has = Object.fromEntries(
        (copied.get(shopId) ?? []).map((row) => [
          row["id"],
          JSON.stringify(JSON.parse(String(row["record"])).response),
        ]),
      );
      const wrong = Object.keys({ ...wanted, ...has }).filter((id) => wanted[id] !== has[id]);
      return wrong.length > 0 ? [`${shopId}: ${wrong.length} records differ, such as ${wrong[0]}`] : [];
    });
  } finally {
    copy.close();
  }
}
