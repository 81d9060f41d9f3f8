import type { Redis } from "@partner-connect/service-runtime";

/** `burst` attempts at once, then one more each `everyMs`. */
export interface Allowance {
  readonly burst: number;
  readonly everyMs: number;
}

/** KEYS[1] lives until the allowance is full again. ARGV: burst, everyMs. A life longer than that comes of a clock that was set back. */
const TAKE = `
local longest, every = ARGV[1] * ARGV[2], tonumber(ARGV[2])
local life = redis.call('PTTL', KEYS[1])
local full = math.min(math.max(life, 0), longest) + every
if full > longest then
  if life > longest then redis.call('PEXPIRE', KEYS[1], longest) end
  return full - longest
end
redis.call('SET', KEYS[1], '', 'PX', full)
return 0`;

/** ARGV: everyMs. A life that is not positive ends the key. */
const GIVE_BACK = `
local left = redis.call('PTTL', KEYS[1])
if left > 0 then redis.call('PEXPIRE', KEYS[1], left - ARGV[1]) end
return 0`;

export type AllowanceStore = ReturnType<typeof allowanceStore>;

/** Counts attempts by the generic cell rate algorithm. A counter ends by itself when its allowance is full again. */
export function allowanceStore(redis: Redis) {
  return {
    /** Takes one attempt and returns 0. If none is left, takes nothing and returns the milliseconds until there is one. */
    async take(key: string, { burst, everyMs }: Allowance): Promise<number> {
      return (await redis.eval(TAKE, 1, key, burst, everyMs)) as number;
    },
    async giveBack(key: string, { everyMs }: Allowance): Promise<void> {
      await redis.eval(GIVE_BACK, 1, key, everyMs);
    },
  };
}
