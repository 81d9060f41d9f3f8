import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "@partner-connect/database";
import { connectShops } from "../harness/actors/many-connections.ts";
import { basic } from "../harness/actors/partner.ts";
import { withStack } from "./bench-stack.ts";
import { floorTable } from "./table.ts";

const PER_SECOND = 1000;
const PLANS = {
  quick: { rounds: 1, seconds: 10, shops: 2000 },
  full: { rounds: 3, seconds: 30, shops: 20_000 },
};
/** Between the starts of two calls, as in the SDK, so that a busy feed's reader meets no limit. */
const LEAST_PAUSE_MS = 200;

interface Answer {
  readonly data: readonly { readonly shop_id: string; readonly kind: string }[];
  readonly cursor: string;
  readonly has_more: boolean;
}

/** The feed of changes: the time from a commit to the waiting reader, at 1,000 changes a second. */
export async function benchFeed({ quick }: { quick: boolean }): Promise<void> {
  const { rounds, seconds, shops } = quick ? PLANS.quick : PLANS.full;
  await withStack(async (stack, sql, dataDir) => {
    const { client, connections } = await connectShops({ ...stack.state, dataDir }, shops);
    const shopIds = connections.map(({ shop }) => shop.id);
    await sql`INSERT INTO survey.stamps (shop_id, stamp, changes) SELECT unnest(${shopIds}::text[]), '-infinity', '{}'`;
    const url = `${stack.state.authorization_server_urls[0]}/oauth/api/changes`;
    const read = async (after: string, wait: number): Promise<Answer> => {
      const query = new URLSearchParams({
        limit: "1000",
        wait: String(wait),
        ...(after && { after }),
      });
      const answer = await fetch(`${url}?${query}`, { headers: { authorization: basic(client) } });
      if (answer.status !== 200)
        throw new Error(`the feed answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as Answer;
    };
    let cursor = "";
    for (let page = await read(cursor, 5); page.data.length > 0; page = await read(cursor, 5))
      cursor = page.cursor;

    const delays: number[][] = [];
    const missing: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const readAt = new Map<string, number[]>();
      let isOver = false;
      const reading = (async () => {
        while (!isOver) {
          const pause = sleep(LEAST_PAUSE_MS);
          const page = await read(cursor, 5);
          cursor = page.cursor;
          const now = performance.now();
          for (const { shop_id } of page.data)
            readAt.set(shop_id, [...(readAt.get(shop_id) ?? []), now]);
          await pause;
        }
      })();
      const committed = await changeFor(sql, shopIds, seconds);
      await sleep(2000);
      isOver = true;
      await reading;
      // An entry that is replaced before it is read is read with the next one.
      const found = committed.map(({ shopId, at }) => {
        const next = readAt.get(shopId)?.find((time) => time >= at);
        return next === undefined ? Number.NaN : next - at;
      });
      missing.push(found.filter(Number.isNaN).length);
      delays.push(found.filter((delay) => !Number.isNaN(delay)).toSorted((a, b) => a - b));
    }
    const at = (share: number) =>
      delays.map((sorted) => sorted[Math.floor(share * sorted.length)] ?? Number.NaN);
    console.log(
      `\nA client of ${shops} connections, ${PER_SECOND} changes a second for ${seconds} s, ${rounds} rounds\n`,
    );
    console.log(
      floorTable([
        ["from commit to the waiting reader, p50 ms", at(0.5), "", "", 0],
        ["the same, p99 ms", at(0.99), "≤ 1000", "300", 0],
        ["changes that were not read", missing, "≤ 0", "", 0],
      ]),
    );
  });
}

/** Takes one shop's stamp after the other, each in its own transaction, as writers do. */
async function changeFor(sql: Sql, shopIds: readonly string[], seconds: number) {
  const committed: { readonly shopId: string; readonly at: number }[] = [];
  const began = performance.now();
  const pending: Promise<unknown>[] = [];
  for (let sent = 0; sent < PER_SECOND * seconds; await sleep(10)) {
    for (const due = ((performance.now() - began) / 1000) * PER_SECOND; sent < due; sent++) {
      const shopId = shopIds[sent % shopIds.length] ?? "";
      const change = sql`
        UPDATE survey.stamps SET changes = '{responses}',
          stamp = greatest(date_trunc('milliseconds', clock_timestamp()), stamp + interval '1 millisecond')
        WHERE shop_id = ${shopId}`;
      pending.push(change.then(() => committed.push({ shopId, at: performance.now() })));
    }
  }
  await Promise.all(pending);
  return committed;
}
