import { StartFailure } from "@partner-connect/local-stack";
import { clusterAddress } from "@partner-connect/service-runtime/environment";
import type { Redis } from "ioredis";

/** By how many milliseconds this Redis has been moved. It has the fate of the keys: a snapshot has both as they were. */
const MARK = "sandbox-clock";

/**
 * What expires does so sooner by what the clock moves, or is deleted, in one step; repeating it changes nothing. ARGV: the new
 * offset, and the one that counts without the mark, as after FLUSHALL. A key may be met twice.
 */
const MOVE = `
local by = tonumber(ARGV[1]) - tonumber(redis.call('GET', KEYS[1]) or ARGV[2])
local met, cursor = {}, '0'
repeat
  if by <= 0 then break end
  local found = redis.call('SCAN', cursor, 'COUNT', 1000)
  cursor = found[1]
  for _, key in ipairs(found[2]) do
    local left = redis.call('PTTL', key)
    if left >= 0 and not met[key] then
      met[key] = true
      if left <= by then redis.call('DEL', key) else redis.call('PEXPIRE', key, left - by) end
    end
  end
until cursor == '0'
redis.call('SET', KEYS[1], ARGV[1])
return by`;

export async function moveRedisClock(redis: Redis, movedBy: number, before: number): Promise<void> {
  await redis.eval(MOVE, 1, MARK, movedBy, before);
}

/** Brings a Redis to where the clock stands, as it may have been away. @throws {StartFailure} where it has another's keys */
export async function openRedisClock(redis: Redis, variable: string, movedBy: number): Promise<void> {
  const [marked, keys] = await Promise.all([redis.exists(MARK), redis.dbsize()]);
  if (marked === 0 && keys > 0) {
    throw new StartFailure(`the Redis at ${variable} is not a sandbox's: give 'pnpm sandbox' an empty one`);
  }
  await moveRedisClock(redis, movedBy, movedBy);
}

/** Of a cluster not all keys can lose their time in one step, with the mark of it. @throws {StartFailure} */
export function refuseCluster(url: string, variable: string): void {
  if (clusterAddress(url) === null) return;
  throw new StartFailure(
    `${variable} is a Redis Cluster, whose clock a sandbox can't move: give 'pnpm sandbox' one server, or none`,
  );
}
