import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectDatabase } from "@partner-connect/database";
import { SqliteStore } from "@partner-connect/partner-sdk/sqlite";
import { onTestFinished } from "vitest";
import { onboardClient, onboardMerchant } from "../../harness/actors/onboarding.ts";
import { seededRandom } from "../../harness/faults/seeded-random.ts";
import { startOwnStack } from "../../harness/stack/stacks.ts";
import { reportRow } from "../row.ts";
import { differences } from "./differences.ts";
import { keepHappening } from "./events.ts";
import { killThemAll } from "./kills.ts";
import { startPartner } from "./partner-process.ts";
import { Shops } from "./shops.ts";

/** The limits are those of production. */
const ENV = { TOKEN_RATE_LIMIT: "10", API_RATE_LIMIT: "600", NOTIFIER_REPLICAS: "2" };

export interface TrialOptions {
  readonly shops: number;
  /** Of each kind of process. */
  readonly kills: number;
  readonly killEveryMs: number;
  readonly eventEveryMs: number;
  /** How long the mirror may take to be like the shops once nothing happens any more. */
  readonly settleSeconds: number;
}

/** Many shops of one client on one address, while all kinds of things happen. Returns where the mirror differs at the end. */
export async function trial(options: TrialOptions): Promise<string[]> {
  const began = performance.now();
  const seed = Number(process.env["TRIAL_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  console.info(`the trial of ${options.shops} shops has the seed ${seed} (TRIAL_SEED)`);
  const [ofEvents, ofKills] = [seededRandom(seed), seededRandom(seed + 1)];

  const stack = await startOwnStack({ ownStores: true, env: ENV });
  onTestFinished(() => stack.stop());
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-partner-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const sql = connectDatabase(stack.now.database_url, { name: "test", connections: 6 });
  onTestFinished(() => sql.end({ timeout: 2 }));
  const [client, merchant] = await Promise.all([
    onboardClient(stack.now, { scope: "responses:read" }),
    onboardMerchant(stack.now),
  ]);
  const [row] = await sql<{ id: string }[]>`SELECT id FROM directory.merchants WHERE email = ${merchant.email}`;
  const shops = new Shops(sql, client, row?.id ?? "");
  const store = new SqliteStore(join(folder, "connections.db"));
  const all = await shops.make(options.shops);
  // Some are connected later.
  const first = all.filter((_, index) => index % 10 > 0);
  for (let next = 0; next < first.length; next += 50) {
    await Promise.all(
      first.slice(next, next + 50).map(async (shop) => {
        shop.connection = await shops.connect(shop, (work) => work());
        shop.isConnected = true;
        await store.put(shop.connection);
      }),
    );
  }
  const env = { BASE_URL: stack.now.base_url, CLIENT_ID: client.clientId, CLIENT_SECRET: client.secret };
  const partner = startPartner(folder, env);
  onTestFinished(() => partner.stop());
  const events = keepHappening({ shops, all, store, random: ofEvents, everyMs: options.eventEveryMs, callers: 4 });
  const kills = await killThemAll({
    ...{ stack, partner, random: ofKills },
    ...{ times: options.kills, everyMs: options.killEveryMs },
  });
  await events.stop();

  const deadline = performance.now() + options.settleSeconds * 1000;
  const differ = () => differences(sql, client.clientId, folder);
  const over = performance.now();
  let found = await differ();
  for (; found.length > 0 && performance.now() < deadline; found = await differ()) await sleep(500);
  report({ options, kills, found, partner, events, settled: performance.now() - over, began });
  return found;
}

interface Outcome {
  readonly options: TrialOptions;
  readonly kills: Readonly<Record<string, number>>;
  readonly found: readonly string[];
  readonly partner: ReturnType<typeof startPartner>;
  readonly events: ReturnType<typeof keepHappening>;
  readonly settled: number;
  readonly began: number;
}

function report({ options, kills, found, partner, events, settled, began }: Outcome): void {
  const calls = partner.calls();
  const sum = (counts: Readonly<Record<string, number>>) =>
    Object.values(counts).reduce((total, count) => total + count, 0);
  console.info("events", events.counts, `repeated: ${events.repeated}`);
  console.info("kills", kills);
  console.info("the partner's calls", calls);
  if (partner.output() !== "") console.info(`the partner printed\n${partner.output().slice(-4000)}`);
  reportRow({
    scenario: `${options.shops} shops of one client on one address: ${sum(events.counts)} events, ${sum(kills)} kills`,
    requests: sum(calls),
    failed: 0,
    wrong: found.length,
    seconds: (performance.now() - began) / 1000,
    note: `${callsOf(calls, /^\/oauth\/api\/token/)} token calls; settled within ${(settled / 1000).toFixed(1)} s`,
  });
}

function callsOf(calls: Readonly<Record<string, number>>, path: RegExp): number {
  return Object.entries(calls).reduce((sum, [name, count]) => sum + (path.test(name) ? count : 0), 0);
}
