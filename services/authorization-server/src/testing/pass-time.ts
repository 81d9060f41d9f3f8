import { hashCredential } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import { keysOf } from "@partner-connect/service-runtime/testing";
import { onTestFinished, vi } from "vitest";
import type { Replicas } from "./replicas.ts";

/** Ages a client's code and refresh token by every clock that judges them, and freezes `Date`. */
export async function passTime(
  { sql, redis }: Pick<Replicas, "sql" | "redis">,
  { clientId, code }: { clientId: string; code?: string },
  seconds: number,
): Promise<void> {
  // Computes without the session's time zone, because a cluster computes no column from a setting.
  const earlier = (column: string) =>
    sql`${sql(column)} = (${sql(column)} AT TIME ZONE 'UTC' - make_interval(secs => ${seconds})) AT TIME ZONE 'UTC'`;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1000 });
  await sql`
    UPDATE oauth.connections SET ${earlier("connected_at")}, ${earlier("approved_at")}, ${earlier("exchanged_at")},
      ${earlier("last_used_at")}
    WHERE client_id = ${clientId}`;
  const keys = await refreshTokenKeys(redis, clientId);
  if (code) keys.push(`oauth:AuthorizationCode:${hashCredential(code).toString("base64url")}`);
  for (const key of keys) {
    const left = await redis.pttl(key);
    // With a negative time Redis deletes the key, as it would have done by then.
    if (left > 0) await redis.pexpire(key, left - seconds * 1000);
  }
}

/** The Redis keys of a client's refresh tokens, including superseded ones. */
export async function refreshTokenKeys(redis: Redis, clientId: string): Promise<string[]> {
  const keys = await keysOf(redis, "oauth:RefreshToken:*");
  const isOfClient = await Promise.all(
    keys.map(async (key) => (await redis.get(key))?.includes(`"${clientId}"`)),
  );
  return keys.filter((_, index) => isOfClient[index]);
}

/** Deletes a client's refresh tokens from Redis, and returns their number. */
export async function forgetRefreshTokens(redis: Redis, clientId: string): Promise<number> {
  const keys = await refreshTokenKeys(redis, clientId);
  for (const key of keys) await redis.del(key);
  return keys.length;
}

const realNow = performance.now.bind(performance);
let ahead = 0;

/** Makes this process's cached clients stale. Their cache measures time by `performance.now`. */
export function outliveClientCache(): void {
  ahead += 1000;
  const spy = vi.spyOn(performance, "now").mockImplementation(() => realNow() + ahead);
  onTestFinished(() => {
    ahead = 0;
    spy.mockRestore();
  });
}
