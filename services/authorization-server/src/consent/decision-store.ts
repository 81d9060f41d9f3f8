import { hashCredential } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import type { PendingAuthorization } from "./pending-authorization.ts";
import { AUTHORIZATION_SECONDS, derived } from "./sealed-request.ts";

/** What became of a decision when it claimed its authorization. */
export type Claim =
  /** `isFirst`: there was none before. `finishedAt`: when its result was complete, in ms; null if it is not yet. */
  | { readonly counts: true; readonly isFirst: boolean; readonly finishedAt: number | null }
  /** Another decision was first. */
  | { readonly counts: false };

/**
 * Which decision counts for an authorization: the first. Redis has one small record for each decided authorization. Its
 * key is a hash, and it contains a keyed hash of the decision, so a reader of Redis learns neither.
 */
export interface DecisionStore {
  /** Claims the authorization in one atomic step, before anything else is done for the decision. */
  claim(pending: PendingAuthorization, decision: readonly string[]): Promise<Claim>;
  /** The decision's result is complete: from now on, the pages of the authorization have ended. */
  finish(pending: PendingAuthorization): Promise<void>;
  /** Gives the claim back: nothing was committed. It stays if the same decision was sent a second time meanwhile. */
  release(pending: PendingAuthorization): Promise<void>;
  isFinished(pending: PendingAuthorization): Promise<boolean>;
}

/** KEYS[1] is the record. ARGV: the decision's hash, and for how many seconds the record is kept. */
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

/** ARGV: the time, in ms. */
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
    async claim(pending, decision) {
      const keptSeconds = Math.min(pending.secondsLeft, AUTHORIZATION_SECONDS) + 120;
      const fingerprint = derived(pending.secret, "answer", ...decision);
      const [is, done] = (await redis.eval(CLAIM, 1, key(pending), fingerprint, keptSeconds)) as [string, string?];
      if (is === "other") return { counts: false };
      return { counts: true, isFirst: is === "first", finishedAt: done ? Number(done) : null };
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
