import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectDatabase, type Sql } from "@partner-connect/database";
import { startLocalStack } from "@partner-connect/local-stack";
import { connectByStatement } from "./connect-shops.ts";
import { floorTable } from "./table.ts";

const PER_SECOND = 1000;
const PLANS = { quick: { rounds: 1, seconds: 10, shops: 10_000 }, full: { rounds: 3, seconds: 30, shops: 100_000 } };
const CLIENT = { clientId: "client_feed", secret: "secret_feed" };
/** From one call to the next: as the SDK has it, so that a busy feed is read within the limit. */
const LEAST_PAUSE_MS = 200;

interface Answer {
  readonly data: readonly { readonly shop_id: string; readonly kind: string }[];
  readonly cursor: string;
  readonly has_more: boolean;
}

/** The feed of changes with the limits of production: the time from a commit to its reader, at 1,000 changes a second. */
export async function benchFeed({ quick }: { quick: boolean }): Promise<void> {
  const { rounds, seconds, shops } = quick ? PLANS.quick : PLANS.full;
  const dataDir = await mkdtemp(join(tmpdir(), "partner-connect-bench-"));
  const env = { AUTHORIZATION_SERVER_REPLICAS: "1", RESOURCE_SERVER_REPLICAS: "1", LOG_LEVEL: "warn" };
  const stack = await startLocalStack({ dataDir, env });
  const sql = connectDatabase(stack.state.database_url, { name: "test", connections: 8 });
  try {
    await sql`INSERT INTO directory.merchants (email, name, password_hash) VALUES ('feed@merchant.example', 'Ada', '-')`;
    await sql`
      INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types)
      VALUES (${CLIENT.clientId}, 'App', '{https://partner.example/callback}', '{responses:read}', '{authorization_code,refresh_token}')`;
    await sql`
      INSERT INTO directory.client_secrets (client_id, secret_hash)
      VALUES (${CLIENT.clientId}, sha256(convert_to(${CLIENT.secret}, 'UTF8')))`;
    const shopIds = (await connectByStatement(sql, CLIENT.clientId, shops)).map(({ shopId }) => shopId);
    await sql`INSERT INTO survey.stamps (shop_id, stamp, changes) SELECT unnest(${shopIds}::text[]), '-infinity', '{}'`;
    while ((await sql`SELECT FROM oauth.change_notes LIMIT 1`).length > 0) await sleep(200);
    await sql.unsafe("VACUUM (ANALYZE) oauth.change_notes, oauth.changes, oauth.connections, survey.stamps");
    const url = `${stack.state.authorization_server_urls[0]}/oauth/api/changes`;
    let cursor = "";
    for (let page = await read(url, cursor, 0); ; page = await read(url, cursor, 0)) {
      cursor = page.cursor;
      if (!page.has_more) break;
    }
    const delays: number[][] = [];
    const missing: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const readAt = new Map<string, number>();
      let isOver = false;
      const reading = (async () => {
        while (!isOver) {
          const pause = sleep(LEAST_PAUSE_MS);
          const page = await read(url, cursor, 5);
          cursor = page.cursor;
          for (const { shop_id, kind } of page.data) if (kind === "responses") readAt.set(shop_id, performance.now());
          await pause;
        }
      })();
      const committedAt = await changeFor(sql, shopIds.slice(round * PER_SECOND * seconds), seconds);
      await sleep(2000);
      isOver = true;
      await reading;
      const found = [...committedAt].map(([shopId, at]) => (readAt.get(shopId) ?? Number.NaN) - at);
      missing.push(found.filter(Number.isNaN).length);
      delays.push(found.filter((delay) => !Number.isNaN(delay)).toSorted((a, b) => a - b));
    }
    const at = (share: number) => delays.map((sorted) => sorted[Math.floor(share * sorted.length)] ?? Number.NaN);
    console.log(
      `\nA client of ${shops} connections, ${PER_SECOND} changes a second for ${seconds} s, ${rounds} times\n`,
    );
    console.log(
      floorTable([
        ["from commit to the waiting reader, p50 ms", at(0.5), "", "", 0],
        ["the same, p99 ms", at(0.99), "≤ 1000", "300", 0],
        ["changes that were not read", missing, "≤ 0", "", 0],
      ]),
    );
  } finally {
    await sql.end();
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function read(url: string, after: string, wait: number): Promise<Answer> {
  const query = new URLSearchParams({ limit: "1000", wait: String(wait), ...(after && { after }) });
  const authorization = `Basic ${btoa(`${CLIENT.clientId}:${CLIENT.secret}`)}`;
  const answer = await fetch(`${url}?${query}`, { headers: { authorization } });
  if (answer.status === 200) return (await answer.json()) as Answer;
  if (answer.status !== 429) throw new Error(`the feed answered ${answer.status}: ${await answer.text()}`);
  await sleep(Number(answer.headers.get("retry-after")) * 1000);
  return await read(url, after, wait);
}

/** Takes the stamp of one shop after the other, each in a transaction of its own, as every writer does. Returns when each was committed. */
async function changeFor(sql: Sql, shopIds: readonly string[], seconds: number): Promise<ReadonlyMap<string, number>> {
  const committedAt = new Map<string, number>();
  const began = performance.now();
  const pending: Promise<unknown>[] = [];
  for (let sent = 0; sent < PER_SECOND * seconds; await sleep(10)) {
    for (const due = ((performance.now() - began) / 1000) * PER_SECOND; sent < due; sent++) {
      const shopId = shopIds[sent % shopIds.length] ?? "";
      const change = sql`
        UPDATE survey.stamps SET changes = '{responses}',
          stamp = greatest(date_trunc('milliseconds', clock_timestamp()), stamp + interval '1 millisecond')
        WHERE shop_id = ${shopId}`;
      pending.push(change.then(() => committedAt.set(shopId, performance.now())));
    }
  }
  await Promise.all(pending);
  return committedAt;
}
