import type { Sql } from "@partner-connect/database";
import { fillShops } from "../../harness/actors/fill-shops.ts";
import { onboardClient, onboardMerchant } from "../../harness/actors/onboarding.ts";
import type { StackUnderTest } from "../../harness/stack/stacks.ts";
import { connectByStatement } from "../connect-shops.ts";
import { table } from "../table.ts";
import { countedCalls } from "./counted-calls.ts";
import { followed } from "./followed.ts";
import { pollByBatches, pollBySingles } from "./polling.ts";

const SHOPS = 10_000;
const ACTIVE = 200;
const TOKEN_CALLS_PER_MINUTE = 10;
/** A token is renewed a minute before it ends. */
const TOKEN_MINUTES = 14;

export interface KeepFreshOptions {
  readonly stack: StackUnderTest;
  readonly sql: Sql;
  readonly quick: boolean;
  readonly report: (line: string) => void;
}

/** Calls and time that it takes to keep many shops fresh within a minute, of whom a few have something new in that minute. */
export async function benchKeepFresh({ stack, sql, quick, report }: KeepFreshOptions): Promise<void> {
  report(`connecting ${SHOPS} shops`);
  await onboardMerchant(stack);
  const client = await onboardClient(stack, { scope: "responses:read" });
  const shops = await connectByStatement(sql, client.clientId, SHOPS);
  const shopIds = shops.map(({ shopId }) => shopId);
  const last = { id: "e", updatedAt: await fillShops(sql, shopIds, ["a", "b", "c", "d", "e"]) };
  const refreshTokens = shops.map(({ refreshToken }) => refreshToken);
  const polled = { client, refreshTokens, last };
  report("polling, with a refresh for each shop, until the limit");
  const singles = await pollBySingles(countedCalls(stack, "10.0.0.1"), polled);
  report("polling, with refreshes in batches");
  const batches = await pollByBatches(countedCalls(stack, "10.0.0.2"), polled);
  report("following the feed");
  const seconds = quick ? 30 : 60;
  const active = (ACTIVE * seconds) / 60;
  const networks = [countedCalls(stack, "10.0.0.3"), countedCalls(stack, "10.0.0.4")] as const;
  const followOptions = { baseUrl: stack.base_url, networks, sql, seconds, active, report, isWarmOnly: quick };
  const feed = await followed(followOptions, client, shops);

  const count = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 1 });
  const feedRow = (name: string, { calls: { token, api, feed: feedCalls }, delays }: typeof feed.withTokens) => {
    const sorted = delays.toSorted((a, b) => a - b);
    const at = (share: number) => (sorted[Math.floor(share * sorted.length)] ?? Number.NaN).toFixed(1);
    const aMinute = [token, api, feedCalls].map((value) => count((value * 60) / seconds));
    return [name, ...aMinute, `p50 ${at(0.5)} s, p99 ${at(0.99)} s`];
  };
  console.log(`
${count(SHOPS)} shops of one client on one address, ${ACTIVE} of them with a new response in the minute; limits as in production.
`);
  console.log(
    table(
      ["", "token calls a minute", "API calls a minute", "feed calls a minute", "a change is in the copy after"],
      [
        [
          "polling, a refresh for each shop",
          `${TOKEN_CALLS_PER_MINUTE} (all there are)`,
          count((singles.apiCalls / singles.shops) * TOKEN_CALLS_PER_MINUTE),
          "",
          `up to ${count(SHOPS / singles.shops)} minutes`,
        ],
        [
          "polling, refreshes in batches",
          count(batches.tokenCalls / TOKEN_MINUTES),
          count(batches.apiCalls),
          "",
          `up to 60 s, if a round begins each minute; a round takes ${count(batches.seconds)} s`,
        ],
        ...(feed.withoutTokens ? [feedRow("feed, of shops whose tokens are not held", feed.withoutTokens)] : []),
        feedRow("feed, of shops whose tokens are held", feed.withTokens),
      ],
    ),
  );
  console.log(`
Measured: ${singles.shops} shops by singles until the limit of ${TOKEN_CALLS_PER_MINUTE}, in ${count(singles.seconds)} s (reckoned: ${count(SHOPS)} ÷ ${singles.shops} a minute); one round by batches (${batches.tokenCalls} token calls,
which hold for ${TOKEN_MINUTES} minutes); ${seconds} s of the feed for each of its rows. The SDK's first copy of all took ${count(feed.firstCopy)} s: ${count(feed.callsOfFirstCopy.token)} token calls, ${count(feed.callsOfFirstCopy.api)} API calls, ${count(feed.callsOfFirstCopy.feed)} of the feed. Calls that failed and were made again: ${feed.troubles}.
`);
}
