import type { Redis } from "@partner-connect/service-runtime";

/** A record at the edge of a page. */
export interface KeptEdge {
  readonly key: string;
  /** `updated_at` in milliseconds since the epoch. */
  readonly at: number;
  readonly seconds: number;
}

/** What a page leaves in the memory. All keys are in one hash slot. */
export interface KeptPage {
  /** Of the walks with one caller, sort and set of filters: from when on their memory is complete. */
  readonly spaceKey: string;
  /** Milliseconds since the epoch; 0 for a walk's first page. */
  readonly completeFrom: number;
  /** The record that the page goes on from, and its place, where that is known. */
  readonly cursor: { readonly key: string; readonly at: number; readonly isOnly: boolean } | null;
  /** Nobody else's name; without a colon. */
  readonly walk: string;
  /** None of an empty page: its caller comes back to the cursor. */
  readonly edges: readonly KeptEdge[];
  /** Milliseconds since the epoch, and a span. */
  readonly now: number;
  readonly settling: number;
  readonly keptSeconds: number;
  readonly usedSeconds: number;
}

/**
 * A record's key is a hash: `updated_at` → `walk:left`. `walk` is whose place it is, empty if two walks or a retry have it
 * in common; `left` is when somebody first went on from it, 0 if nobody has.
 *
 * The page belongs to the walk whose place it goes on from, if only that walk can have asked: the place is known, has one
 * owner, and was not left before. Otherwise it begins a walk of its own. Where a walk meets a record again that has moved, its
 * older place of it goes, so that it can't be led back for ever. A place of another walk stays until it has given way.
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
  local places, gone = redis.call('HGETALL', KEYS[i]), {}
  for j = 1, #places, 2 do
    local other, left = read(places[j + 1])
    if places[j] == at then
      if other ~= walk and not hasGivenWay(left) then owner = '' end
    elseif other == walk or hasGivenWay(left) then
      gone[#gone + 1] = places[j]
    end
  end
  redis.call('HSET', KEYS[i], at, owner .. ':0')
  if #gone > 0 then redis.call('HDEL', KEYS[i], unpack(gone)) end
  if #places == 0 then redis.call('EXPIRE', KEYS[i], seconds) else redis.call('EXPIRE', KEYS[i], seconds, 'GT') end
end`;

/** One command, and so one step. */
export async function rememberPage(redis: Redis, page: KeptPage): Promise<void> {
  if (!("rememberPage" in redis)) redis.defineCommand("rememberPage", { lua: SCRIPT });
  const { spaceKey, cursor, edges } = page;
  const keys = [spaceKey, cursor?.key ?? spaceKey, ...edges.map(({ key }) => key)];
  await (redis as RememberingRedis).rememberPage(
    keys.length,
    ...keys,
    page.now,
    page.walk,
    page.settling,
    page.keptSeconds,
    page.usedSeconds,
    page.completeFrom,
    cursor?.at ?? "",
    cursor?.isOnly ? 1 : 0,
    ...edges.flatMap(({ at, seconds }) => [at, seconds]),
  );
}

/** The connection, once it was taught the script: sent once, and named by its hash from then on. */
interface RememberingRedis extends Redis {
  rememberPage(keys: number, ...values: (string | number)[]): Promise<unknown>;
}
