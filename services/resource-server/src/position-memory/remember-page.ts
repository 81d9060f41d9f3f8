import type { Redis } from "@partner-connect/service-runtime";
import { SETTLING_MS } from "./safe-position.ts";

/** A caller who comes back within this time is known to have been shown the last record of their page where it stood. */
export const LONGEST_KEPT_SECONDS = 7 * 86_400;

/** A record that the caller has gone on from is kept for a retry. */
export const USED_SECONDS = 3600;

/** What a page leaves in the memory. All keys are in one hash slot. */
export interface PageToRemember {
  /** Of the walks with one caller, sort and set of filters: since when their memory is complete. */
  readonly walksKey: string;
  /** Milliseconds since the epoch; 0 for a walk's first page. */
  readonly completeSince: number;
  /** The record that the page goes on from, and its position, where that is known. */
  readonly cursor: { readonly key: string; readonly at: number; readonly isOnly: boolean } | null;
  /** A name that no other walk has; without a colon. */
  readonly walk: string;
  /**
   * The records at the edges: `at` is their `updated_at` in milliseconds since the epoch. None of an empty page: its caller
   * comes back to the cursor.
   */
  readonly edges: readonly { readonly key: string; readonly at: number; readonly seconds: number }[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * A record's key is a hash: `updated_at` → `walk:left`. `walk` names the walk that was shown the record there; it is empty if
 * two walks or a retry have the position in common. `left` is when somebody first went on from it, 0 if nobody has.
 *
 * The page belongs to the walk whose position it goes on from, if only that walk can have asked: the position is known, has one
 * walk, and was not left before. Otherwise the page begins a walk of its own. Where a walk is shown a record again that has
 * moved, its older position of the record goes, so that it can't be led back for ever. A position of another walk stays until it
 * has given way.
 */
const SCRIPT = `
local now, walk, settling, kept, used = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]
local function read(value)
  local owner, left = string.match(value, '^(.*):(%d+)$')
  return owner, left
end
local function hasGivenWay(left) return left ~= '0' and now - tonumber(left) > settling end

local outlivesAll = 2 * tonumber(kept)
if not redis.call('GETEX', KEYS[1], 'EX', outlivesAll) then redis.call('SET', KEYS[1], ARGV[6], 'EX', outlivesAll) end

local from = ARGV[7] ~= '' and redis.call('HGET', KEYS[2], ARGV[7])
if from and #KEYS == 2 then
  redis.call('EXPIRE', KEYS[2], kept)
elseif from then
  local owner, left = read(from)
  if ARGV[8] == '1' and left == '0' and owner ~= '' then walk = owner else owner = '' end
  redis.call('HSET', KEYS[2], ARGV[7], owner .. ':' .. (left == '0' and ARGV[1] or left))
  if redis.call('HLEN', KEYS[2]) == 1 then redis.call('EXPIRE', KEYS[2], used) end
end

for i = 3, #KEYS do
  local at, seconds, owner = ARGV[2 * i + 3], ARGV[2 * i + 4], walk
  local positions, gone = redis.call('HGETALL', KEYS[i]), {}
  for j = 1, #positions, 2 do
    local other, left = read(positions[j + 1])
    if positions[j] == at then
      if other ~= walk and not hasGivenWay(left) then owner = '' end
    elseif other == walk or hasGivenWay(left) then
      gone[#gone + 1] = positions[j]
    end
  end
  redis.call('HSET', KEYS[i], at, owner .. ':0')
  if #gone > 0 then redis.call('HDEL', KEYS[i], unpack(gone)) end
  if #positions == 0 then redis.call('EXPIRE', KEYS[i], seconds) else redis.call('EXPIRE', KEYS[i], seconds, 'GT') end
end`;

/** One command, and so one step. */
export async function rememberPage(redis: Redis, page: PageToRemember): Promise<void> {
  if (!("rememberPage" in redis)) redis.defineCommand("rememberPage", { lua: SCRIPT });
  const { walksKey, cursor, edges } = page;
  const keys = [walksKey, cursor?.key ?? walksKey, ...edges.map(({ key }) => key)];
  await (redis as RememberingRedis).rememberPage(
    keys.length,
    ...keys,
    page.now,
    page.walk,
    SETTLING_MS,
    LONGEST_KEPT_SECONDS,
    USED_SECONDS,
    page.completeSince,
    cursor?.at ?? "",
    cursor?.isOnly ? 1 : 0,
    ...edges.flatMap(({ at, seconds }) => [at, seconds]),
  );
}

/** The connection, once it was taught the script: sent once, and named by its hash from then on. */
interface RememberingRedis extends Redis {
  rememberPage(keys: number, ...values: (string | number)[]): Promise<unknown>;
}
