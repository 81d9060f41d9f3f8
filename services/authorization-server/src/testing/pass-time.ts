import { hashCredential } from "@partner-connect/directory";
import { keysOf } from "@partner-connect/service-runtime/testing";
import { vi } from "vitest";
import type { Replicas } from "./replicas.ts";

/**
 * Moves the three clocks by which a client's code and refresh token live: Redis's (what is left of their keys' lives),
 * Postgres's (the times in its connections' rows) and this process's `Date`, which stands still then. End `Date`'s part
 * with `vi.useRealTimers()`.
 */
export async function passTime(
  { sql, redis }: Pick<Replicas, "sql" | "redis">,
  { clientId, code }: { clientId: string; code?: string },
  seconds: number,
): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1000 });
  await sql`
    UPDATE oauth.connections SET
      connected_at = connected_at - make_interval(secs => ${seconds}),
      approved_at = approved_at - make_interval(secs => ${seconds}),
      exchanged_at = exchanged_at - make_interval(secs => ${seconds}),
      last_used_at = last_used_at - make_interval(secs => ${seconds})
    WHERE client_id = ${clientId}`;
  const keys = await keysOf(redis, `oauth:refresh-token:${clientId}:*`);
  if (code) keys.push(`oauth:AuthorizationCode:${hashCredential(code).toString("base64url")}`);
  for (const key of keys) {
    const left = await redis.pttl(key);
    // A life that has ended by then is over: Redis deletes the key.
    if (left > 0) await redis.pexpire(key, left - seconds * 1000);
  }
}
