import { setTimeout as sleep } from "node:timers/promises";
import { connectDatabase, transaction } from "@partner-connect/database";
import { numberOf } from "./choose.ts";
import type { Trigger } from "./trigger.ts";

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
