import { chooseConnection } from "./choose.ts";
import { withRedis } from "./sandbox-world.ts";
import { type Trigger, TriggerError } from "./trigger.ts";

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
