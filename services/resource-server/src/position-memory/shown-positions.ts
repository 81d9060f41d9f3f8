import { hash } from "node:crypto";
import type { Redis } from "@partner-connect/service-runtime";

/** For so long a position counts after the record was shown there. */
export const SHOWN_MS = 86_400_000;

/** For so long it still counts after the caller has gone on from it: the request may be repeated, or have been another walk's. */
export const LEFT_MS = 30_000;

/** What the keys of `walks` begin with: it decides their hash slot, and so their server. */
export function slotKey(walks: string): string {
  return `cursor:{${digest(walks).slice(0, 6)}}`;
}

/** The positions of one record. Keys are hashes, as ids are long, and as nobody who reads a dump should learn them. */
export function keyOf(walks: string, id: string): string {
  return `${slotKey(walks)}${digest(`${walks} ${id}`)}`;
}

function digest(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 22);
}

/**
 * How a page showed a record: as the last one, from which its walk goes on; as the first one; or not, as the page is empty, so that
 * the caller is still there. Backward, first and last are the other way round.
 */
export type Showing = "last" | "first" | "empty";

/**
 * A key is a sorted set of times in milliseconds since the epoch, each with the time until which it counts. Two signs keep a
 * walk that is alone from being led back by itself:
 * - a minus: no walk will go on from there, as one page ended there and the caller has gone on, or pages only began there. When the
 *   record is the last of a page elsewhere, that position is forgotten.
 * - a half: more than one page showed it there, of another walk or a repeated one. It is not forgotten so.
 */
const LEAVE = `
local now = tonumber(ARGV[1])
local function scoreOf(at) return tonumber(redis.call('ZSCORE', KEYS[1], at) or 0) end
local function set(at, till) redis.call('ZADD', KEYS[1], string.format('%.1f', till), at) end
local function leave(at)
  local score = scoreOf(at)
  if math.abs(score) <= now then return end
  local isShared = score > 0 and score % 1 > 0
  local till = math.min(math.abs(score), now + ${LEFT_MS} + (isShared and 0.5 or 0))
  set(at, isShared and till or -till)
end
if ARGV[2] ~= '' then leave(ARGV[2]) end`;

const KEEP = `${LEAVE}
local at, showing = ARGV[3], ARGV[4]
local score = scoreOf(at)
local isKnown = math.abs(score) > now
local isShared = isKnown and (showing ~= 'empty' or score % 1 > 0)
local till = now + ${SHOWN_MS} + (isShared and 0.5 or 0)
if showing == 'first' and not (isKnown and score > 0) then till = -till end
redis.call('ZREMRANGEBYSCORE', KEYS[1], showing == 'first' and -now or '-inf', now)
set(at, till)
redis.call('PEXPIRE', KEYS[1], ${SHOWN_MS})`;

/** @param left where the caller has gone on from, if it is a position of this record */
export async function keepPosition(
  redis: Redis,
  key: string,
  now: number,
  { at, showing, left }: { readonly at: number; readonly showing: Showing; readonly left: number | null },
): Promise<void> {
  await scripted(redis).keepPosition(key, now, left ?? "", at, showing);
}

/** The caller has gone on from there. The first time counts: a walk that is led back ends. */
export async function leavePosition(redis: Redis, key: string, now: number, left: number): Promise<void> {
  await scripted(redis).leavePosition(key, now, left);
}

/** The times that count now. */
export async function shownPositions(redis: Redis, key: string, now: number): Promise<number[]> {
  const kept = await redis.zrange(key, "0", "-1", "WITHSCORES");
  return kept.flatMap((at, i) => (i % 2 === 0 && Math.abs(Number(kept[i + 1])) > now ? [Number(at)] : []));
}

/** A connection with the scripts as commands: ioredis sends each once, and only its hash from then on. */
interface ScriptedRedis extends Redis {
  keepPosition(key: string, ...values: (number | string)[]): Promise<unknown>;
  leavePosition(key: string, ...values: (number | string)[]): Promise<unknown>;
}

function scripted(redis: Redis): ScriptedRedis {
  if (!("keepPosition" in redis)) {
    redis.defineCommand("keepPosition", { numberOfKeys: 1, lua: KEEP });
    redis.defineCommand("leavePosition", { numberOfKeys: 1, lua: LEAVE });
  }
  return redis as ScriptedRedis;
}
