import { setTimeout as sleep } from "node:timers/promises";
import { connectDatabase, transaction } from "@partner-connect/database";
import { chooseConnection, numberOf } from "./choose.ts";
import { type Trigger, TriggerError, withRedis } from "./trigger.ts";

/** What every call of a partner reads. Other transactions on them end first. */
const LOCK = `
SET LOCAL lock_timeout = '5s';
SET LOCAL idle_in_transaction_session_timeout = 0;
LOCK TABLE directory.clients, directory.shops, directory.api_keys, oauth.connections IN ACCESS EXCLUSIVE MODE`;

/** The services wait for three: a shorter pause would only be slow. */
const SECONDS = { fallback: 10, min: 5, max: 3600 };

export const UNAVAILABLE: Trigger = {
  name: "unavailable",
  does: "keeps the database from answering partners, for --seconds of the machine's time (10): their tables are locked",
  partner:
    "API and token calls say 503 with retry-after, after two seconds or three: wait so long, and send the same again",
  options: ["seconds"],
  async pull({ stack, stopping }, options) {
    const seconds = numberOf(options, "seconds", SECONDS);
    const sql = connectDatabase(stack.state.database_url, { name: "sandbox unavailable", connections: 1 });
    const locked = Promise.withResolvers<void>();
    // The locks end with the transaction, so also when the sandbox is stopped or killed.
    const held = transaction(sql, async (tx) => {
      await tx.unsafe(LOCK);
      locked.resolve();
      await sleep(seconds * 1000, undefined, { signal: stopping });
    });
    held.catch(locked.reject).finally(() => sql.end({ timeout: 1 }));
    await locked.promise;
    return { seconds };
  },
};

const WINDOW_MS = 60_000;
/** More than any limit. */
const FULL = 1_000_000_000;

export const RATE_LIMIT: Trigger = {
  name: "rate-limit",
  does: "fills the connection's counter of API requests for a minute",
  partner: "API calls say 429 with retry-after: wait so long, and send the same again",
  options: ["connection", "shop", "client"],
  async pull(world, options) {
    const { id } = await world.withDatabase((sql) =>
      chooseConnection(sql, options, "connected", world.lifetimes.refreshToken),
    );
    // The key of services/resource-server/src/http/shared-count.ts.
    await withRedis(world.stack.state.resource_server_redis_url, (redis) =>
      redis.set(`api-rate:${id}`, FULL, "PX", WINDOW_MS),
    );
    return { connection: id, seconds: WINDOW_MS / 1000 };
  },
};

/** A limit above this is none that a partner meets. */
const MOST_CALLS = 2000;

export const TOKEN_RATE_LIMIT: Trigger = {
  name: "token-rate-limit",
  does: "uses up the token calls that this machine's address has in this minute, by calls without credentials",
  partner: "the token endpoint says 429 with retry-after; codes and refresh tokens are as good as before",
  options: [],
  async pull({ stack }) {
    const { port } = new URL(stack.state.base_url);
    const calls = { "127.0.0.1": 0, "[::1]": 0 };
    for (const host of Object.keys(calls) as (keyof typeof calls)[]) {
      while (calls[host] < MOST_CALLS && (await isCounted(`http://${host}:${port}/oauth/api/token`))) calls[host]++;
    }
    if (calls["127.0.0.1"] === MOST_CALLS) throw new TriggerError(`TOKEN_RATE_LIMIT is more than ${MOST_CALLS}`);
    return { calls: calls["127.0.0.1"] + calls["[::1]"] };
  },
};

/** False once the limit is reached, and where the machine has no such address. */
async function isCounted(url: string): Promise<boolean> {
  const answer = await fetch(url, { method: "POST", body: new URLSearchParams({ grant_type: "none" }) }).catch(
    () => null,
  );
  await answer?.arrayBuffer();
  return answer !== null && answer.status !== 429;
}
