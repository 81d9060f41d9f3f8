import { hashCredential } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import { seal, unseal } from "../../sealing/sealed-text.ts";
import type { PendingAuthorization } from "../request/pending-authorization.ts";
import { AUTHORIZATION_SECONDS, derived } from "../request/sealed-request.ts";

/** What became of a decision when it claimed its authorization. */
export type Claim =
  /** `finishedAt`: when its result was complete, in ms; null if it is not yet. */
  | { readonly counts: true; readonly finishedAt: number | null }
  /** Another decision was first. `unfinished`: what it approved, if its result is not complete. */
  | { readonly counts: false; readonly unfinished: ApprovedChoice | null };

/** What was approved, as strings: the merchant, the shop and the scope. */
export type ApprovedChoice = readonly [merchantId: string, shopId: string, ...scope: string[]];

/**
 * Which decision counts for an authorization: the first. Redis has one small record for each decided authorization. Its
 * key is a hash, and it contains a keyed hash of the decision and an approval's choice, sealed. So a reader of Redis learns neither.
 */
export interface DecisionStore {
  /** Claims the authorization for an approval, in one atomic step: the last one before it is committed. */
  claimApproval(pending: PendingAuthorization, choice: ApprovedChoice): Promise<Claim>;
  /** Claims it for a decline. `instead`: an unfinished approval that is known not to be committed, which then ends. */
  claimDecline(pending: PendingAuthorization, instead?: ApprovedChoice): Promise<Claim>;
  /** The decision's result is complete: from now on, the pages of the authorization have ended. */
  finish(pending: PendingAuthorization): Promise<void>;
  isFinished(pending: PendingAuthorization): Promise<boolean>;
}

/**
 * KEYS[1] is the record. ARGV: the decision's hash; what it approves, sealed, or the empty string; the hash of the decision that it
 * replaces if that is not done; and for how many seconds the record is kept.
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

export function decisionStore(redis: Redis): DecisionStore {
  const key = ({ secret }: PendingAuthorization) => `oauth:decision:${hashCredential(secret).toString("base64url")}`;
  const claim = async (
    pending: PendingAuthorization,
    decision: { readonly answer: string; readonly choice?: string; readonly instead?: string },
  ): Promise<Claim> => {
    const { answer, choice = "", instead = "" } = decision;
    const keptSeconds = Math.min(pending.secondsLeft, AUTHORIZATION_SECONDS) + 120;
    const result = await redis.eval(CLAIM, 1, key(pending), answer, choice, instead, keptSeconds);
    const [is, more] = result as [string, string?];
    if (is === "counts") return { counts: true, finishedAt: more ? Number(more) : null };
    const unfinished = more ? unseal(more, pending.secret, PURPOSE) : null;
    return { counts: false, unfinished: unfinished === null ? null : (JSON.parse(unfinished) as ApprovedChoice) };
  };
  const approval = ({ secret }: PendingAuthorization, choice: ApprovedChoice) =>
    derived(secret, "answer", "approve", ...choice);
  return {
    async claimApproval(pending, choice) {
      const sealed = seal(JSON.stringify(choice), pending.secret, PURPOSE);
      return await claim(pending, { answer: approval(pending, choice), choice: sealed });
    },
    async claimDecline(pending, instead) {
      const answer = derived(pending.secret, "answer", "decline");
      return await claim(pending, { answer, ...(instead && { instead: approval(pending, instead) }) });
    },
    async finish(pending) {
      await redis.eval(FINISH, 1, key(pending), Date.now());
    },
    async isFinished(pending) {
      return (await redis.hexists(key(pending), "done")) === 1;
    },
  };
}
