import { hashCredential } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import { seal, unseal } from "../../sealing/sealed-text.ts";
import { AUTHORIZATION_SECONDS, derived, type OpenAuthorization } from "../request/sealed-request.ts";

/** What a merchant decided, as strings: an approval with the merchant, the shop and the scope. */
export type Decision = readonly ["decline"] | Approval;
export type Approval = readonly ["approve", merchantId: string, shopId: string, ...scope: string[]];

export type Claim =
  /** `finishedAt`: when its result was complete, in ms; null if it is not yet. */
  | { readonly counts: true; readonly finishedAt: number | null }
  /** Another decision was first. `unfinished`: what it approved, if its result is not complete. */
  | { readonly counts: false; readonly unfinished: Approval | null };

export function grantOf({ secret }: OpenAuthorization, [, ...choice]: Approval): string {
  return derived(secret, "grant", ...choice);
}

export function codeOf({ secret }: OpenAuthorization, [, ...choice]: Approval): string {
  return derived(secret, "code", ...choice);
}

export type DecisionStore = ReturnType<typeof decisionStore>;

/**
 * KEYS[1]: the record. ARGV: the decision's hash; what it approves, sealed, or empty; the hash that it replaces if not done; seconds to
 * keep it.
 */
const CLAIM = `
local answer, choice, done = unpack(redis.call('HMGET', KEYS[1], 'answer', 'choice', 'done'))
if not answer or (answer == ARGV[3] and not done) then
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'answer', ARGV[1])
  if ARGV[2] ~= '' then redis.call('HSET', KEYS[1], 'choice', ARGV[2]) end
  redis.call('EXPIRE', KEYS[1], ARGV[4])
  return {'counts'}
end
if answer == ARGV[1] then return {'counts', done} end
return {'other', not done and choice}`;

/** ARGV: the time, in ms. What was approved is needed no longer: made anew without it, the record takes half as much. */
const FINISH = `
local answer, done = unpack(redis.call('HMGET', KEYS[1], 'answer', 'done'))
if not answer or done then return 0 end
local left = redis.call('PTTL', KEYS[1])
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'answer', answer, 'done', ARGV[1])
redis.call('PEXPIRE', KEYS[1], left)
return 1`;

const PURPOSE = "approved choice";

/**
 * The first decision counts. Redis has a record for each decided authorization: its key is a hash, and the choice is hashed with a key, and
 * sealed.
 */
export function decisionStore(redis: Redis) {
  const key = ({ secret }: OpenAuthorization) => `oauth:decision:${hashCredential(secret).toString("base64url")}`;
  return {
    /** An atomic step: an approval's last before its commit. `instead`: an unfinished approval that is known not to be committed. */
    async claim(authorization: OpenAuthorization, decision: Decision, instead?: Approval): Promise<Claim> {
      const { secret, secondsLeft } = authorization;
      const answer = (each: Decision) => derived(secret, "answer", ...each);
      const [is, ...choice] = decision;
      const result = await redis.eval(
        CLAIM,
        1,
        key(authorization),
        answer(decision),
        is === "approve" ? seal(JSON.stringify(choice), secret, PURPOSE) : "",
        instead ? answer(instead) : "",
        Math.min(secondsLeft, AUTHORIZATION_SECONDS) + 120,
      );
      const [outcome, more] = result as [string, string?];
      if (outcome === "counts") return { counts: true, finishedAt: more ? Number(more) : null };
      const unfinished = more ? unseal(more, secret, PURPOSE) : null;
      if (unfinished === null) return { counts: false, unfinished: null };
      const [merchantId, shopId, ...scope] = JSON.parse(unfinished);
      return { counts: false, unfinished: ["approve", merchantId, shopId, ...scope] };
    },
    /** The decision's result is complete: from then on, the pages of the authorization have ended. */
    async finish(authorization: OpenAuthorization): Promise<void> {
      await redis.eval(FINISH, 1, key(authorization), Date.now());
    },
    async isFinished(authorization: OpenAuthorization): Promise<boolean> {
      return (await redis.hexists(key(authorization), "done")) === 1;
    },
  };
}
