import { hash } from "node:crypto";
import type { Redis } from "@partner-connect/service-runtime";
import type { Position } from "../pagination/time-parameters.ts";

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
 * How a page showed a record: as the last one, from which its walk goes on; as the first one; or not, as the page is empty. Backward, first
 * and last are the other way round.
 */
export type Showing = "last" | "first" | "empty";

/**
 * A key is a sorted set of times in milliseconds, each with the time until which it counts. Two signs keep a walk that is alone from being
 * led back by itself. A minus: no walk will go on from there; it is forgotten when the record is the last of a page elsewhere. A half: more
 * than one page showed it there, so it is not forgotten.
 */
const REMEMBER = `
local now = tonumber(ARGV[1])
local function scoreOf(key, at) return tonumber(redis.call('ZSCORE', key, at) or 0) end
local function set(key, at, till) redis.call('ZADD', key, string.format('%.1f', till), at) end
local function leave(key, at)
  local score = scoreOf(key, at)
  if math.abs(score) <= now then return end
  local isShared = score > 0 and score % 1 > 0
  local till = math.min(math.abs(score), now + ${LEFT_MS} + (isShared and 0.5 or 0))
  set(key, at, isShared and till or -till)
end
local function keep(key, at, showing)
  local score = scoreOf(key, at)
  local isKnown = math.abs(score) > now
  local isShared = isKnown and (showing ~= 'empty' or score % 1 > 0)
  local till = now + ${SHOWN_MS} + (isShared and 0.5 or 0)
  if showing == 'first' and not (isKnown and score > 0) then till = -till end
  redis.call('ZREMRANGEBYSCORE', key, showing == 'first' and -now or '-inf', now)
  set(key, at, till)
  redis.call('PEXPIRE', key, ${SHOWN_MS})
end
for i, key in ipairs(KEYS) do
  local at, showing = ARGV[2 * i], ARGV[2 * i + 1]
  if showing == 'left' then leave(key, at) else keep(key, at, showing) end
end`;

/** A position of a page: one where it showed a record, or the one from which the caller has gone on to it. */
export interface PagePosition extends Position {
  readonly showing: Showing | "left";
}

/**
 * Keeps what a page showed, in one step; the position that was left comes first. Only the first time that a caller goes on from one counts.
 */
export async function rememberPage(
  redis: Redis,
  walks: string,
  now: number,
  positions: readonly PagePosition[],
): Promise<void> {
  const keys = positions.map(({ id }) => keyOf(walks, id));
  await scripted(redis).rememberPage(
    keys.length,
    ...keys,
    now,
    ...positions.flatMap(({ at, showing }) => [at, showing]),
  );
}

/** The times that count now. */
export async function shownPositions(redis: Redis, key: string, now: number): Promise<number[]> {
  const kept = await redis.zrange(key, "0", "-1", "WITHSCORES");
  return kept.flatMap((at, i) => (i % 2 === 0 && Math.abs(Number(kept[i + 1])) > now ? [Number(at)] : []));
}

/** A connection with the scripts as commands: ioredis sends each once, and only its hash from then on. */
interface ScriptedRedis extends Redis {
  rememberPage(keys: number, ...values: (number | string)[]): Promise<unknown>;
}

function scripted(redis: Redis): ScriptedRedis {
  if (!("rememberPage" in redis)) redis.defineCommand("rememberPage", { lua: REMEMBER });
  return redis as ScriptedRedis;
}
