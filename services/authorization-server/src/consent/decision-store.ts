import { hashCredential } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import type { PendingAuthorization } from "./pending-authorization.ts";
import { AUTHORIZATION_SECONDS, derived } from "./sealed-request.ts";

/** A merchant's answer, as it stands when an authorization is claimed for it. */
export type Claim =
  /** `isFirst`: nobody had answered before. `doneAt`: since when its result stands, in ms; null while it is being made. */
  | { readonly counts: true; readonly isFirst: boolean; readonly doneAt: number | null }
  /** Another answer was first. */
  | { readonly counts: false };

/**
 * Which answer counts for an authorization: the first. Redis holds one small record for each that was decided, known by
 * a hash, and in it a keyed hash of the answer; so nobody who reads it learns either.
 */
export interface DecisionStore {
  /** One atomic step, before anything else is done about the answer. */
  claim(pending: PendingAuthorization, answer: readonly string[]): Promise<Claim>;
  /** The answer's result stands: from now on the page has ended. */
  finish(pending: PendingAuthorization): Promise<void>;
  /** Nothing came of the answer, for certain, and nobody else is about it: another one may be given. */
  release(pending: PendingAuthorization): Promise<void>;
  isFinished(pending: PendingAuthorization): Promise<boolean>;
}

/** KEYS[1] is the record, ARGV[1] the answer, ARGV[2] how many seconds it is kept. */
const CLAIM = `
local answer, done = unpack(redis.call('HMGET', KEYS[1], 'answer', 'done'))
if not answer then
  redis.call('HSET', KEYS[1], 'answer', ARGV[1])
  redis.call('EXPIRE', KEYS[1], ARGV[2])
  return {'first'}
end
if answer ~= ARGV[1] then return {'other'} end
redis.call('HSET', KEYS[1], 'shared', 1)
return {'same', done}`;

const FINISH = `
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSETNX', KEYS[1], 'done', ARGV[1]) end
return 0`;

const RELEASE = `
local shared, done = unpack(redis.call('HMGET', KEYS[1], 'shared', 'done'))
if not shared and not done then redis.call('DEL', KEYS[1]) end
return 0`;

export function decisionStore(redis: Redis): DecisionStore {
  const key = ({ secret }: PendingAuthorization) => `oauth:decision:${hashCredential(secret).toString("base64url")}`;
  return {
    async claim(pending, answer) {
      const keptSeconds = Math.min(pending.secondsLeft, AUTHORIZATION_SECONDS) + 120;
      const fingerprint = derived(pending.secret, "answer", ...answer);
      const [is, done] = (await redis.eval(CLAIM, 1, key(pending), fingerprint, keptSeconds)) as [string, string?];
      if (is === "other") return { counts: false };
      return { counts: true, isFirst: is === "first", doneAt: done ? Number(done) : null };
    },
    async finish(pending) {
      await redis.eval(FINISH, 1, key(pending), Date.now());
    },
    async release(pending) {
      await redis.eval(RELEASE, 1, key(pending));
    },
    async isFinished(pending) {
      return (await redis.hexists(key(pending), "done")) === 1;
    },
  };
}
