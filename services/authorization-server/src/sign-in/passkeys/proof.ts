import { normalizeIP } from "@fastify/rate-limit";
import {
  hashCredential,
  type MerchantAccount,
  type Passkey,
  usePasskey,
} from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import { browserSecret, browserSecretOrNew } from "../../browser/csrf.ts";
import { formField } from "../../pages/forms.ts";
import { confirmPassword, recordSuccess } from "../confirm-password.ts";
import { recordSecondStep, secondStepMailKey } from "../record-sign-in.ts";
import { readAnswer, useChallenge, verifySignature } from "./ceremony.ts";

/** Seconds within which the passkey must follow the password. */
const STEP_SECONDS = 600;

/** A sign-in with the right password that still needs a passkey. */
interface SecondStep {
  readonly merchantId: string;
  /** The merchant's `sessionEpoch` at the time when the password was checked. */
  readonly accountEpoch: number;
}

/* The sign-in that waits in each browser is in Redis, under a hash, because the browser's owner
   could forge a value that the browser stores. */

const stepKey = (secret: string) => `second_step:${hashCredential(secret).toString("base64url")}`;

export async function beginSecondStep(reply: FastifyReply, { id, sessionEpoch }: MerchantAccount) {
  await recordSecondStep(reply.request, id, STEP_SECONDS);
  const step: SecondStep = { merchantId: id, accountEpoch: sessionEpoch };
  const key = stepKey(browserSecretOrNew(reply));
  await reply.server.redis.set(key, JSON.stringify(step), "EX", STEP_SECONDS);
}

export async function findSecondStep(request: FastifyRequest): Promise<SecondStep | null> {
  const secret = browserSecret(request);
  const stored = secret === null ? null : await request.server.redis.get(stepKey(secret));
  return stored === null ? null : (JSON.parse(stored) as SecondStep);
}

export async function endSecondStep(request: FastifyRequest): Promise<void> {
  const secret = browserSecret(request);
  if (secret !== null) await request.server.redis.del(stepKey(secret));
}

export type ProofOutcome =
  | { readonly outcome: "right" }
  | { readonly outcome: "wrong"; readonly field: "passkey" | "password" }
  /** The challenge was used, has expired, or belongs to another page. */
  | { readonly outcome: "out_of_date" }
  | { readonly outcome: "throttled"; readonly waitSeconds: number };

export function identityPurpose({ id }: MerchantAccount): string {
  return `proof of ${id}`;
}

/** Attempts in ten minutes per account and network, so no other network locks the owner out. */
const MAX_ATTEMPTS = 10;

/**
 * Checks the posted signature of a passkey or, if the merchant has no passkey, the posted password.
 */
export async function checkIdentity(
  reply: FastifyReply,
  merchant: MerchantAccount,
  passkeys: readonly Passkey[],
): Promise<ProofOutcome> {
  const { request } = reply;
  const { attempts } = reply.server.signIn;
  if (passkeys.length === 0) return await checkPassword(reply, merchant);

  const key = `network:${normalizeIP(request.ip)}:account:${merchant.id}`;
  const { current, ttl } = await attempts.add(key);
  if (current > MAX_ATTEMPTS) return { outcome: "throttled", waitSeconds: Math.ceil(ttl / 1000) };
  let isWrong = false;
  try {
    const proof = await checkPasskey(request, merchant, passkeys);
    isWrong = proof.outcome !== "right";
    return proof;
  } finally {
    if (!isWrong) await attempts.takeBack(key);
  }
}

async function checkPasskey(
  request: FastifyRequest,
  merchant: MerchantAccount,
  passkeys: readonly Passkey[],
): Promise<ProofOutcome> {
  const wrong = { outcome: "wrong", field: "passkey" } as const;
  const text = formField(request.body, "credential");
  const answer = readAnswer(text);
  if (answer === null) return wrong;
  if (!(await useChallenge(request, identityPurpose(merchant), answer.challenge)))
    return { outcome: "out_of_date" };
  const passkey = passkeys.find(({ id }) => id === answer.id);
  if (!passkey) return wrong;
  const counter = await verifySignature(request, passkey, answer.challenge, text);
  if (counter === null) return wrong;
  // The passkey needn't be a copy, because synchronized authenticators share a key without sharing
  // its counter (WebAuthn Level 3 §6.1.1).
  if (passkey.counter > 0 && counter <= passkey.counter) {
    const facts = { merchant_id: merchant.id, passkey: passkey.id };
    request.log.warn(facts, "a passkey's counter has not advanced");
  }
  const used = { id: passkey.id, counter };
  if (!(await usePasskey(request.server.pagesSql, merchant.id, used))) return wrong;
  // The worker now drops the mail about the password, so the next attempt must queue another.
  await request.server.redis.del(secondStepMailKey(merchant.id));
  return { outcome: "right" };
}

async function checkPassword(
  reply: FastifyReply,
  merchant: MerchantAccount,
): Promise<ProofOutcome> {
  // With OIDC_ONLY no page asks for a password.
  if (reply.server.config.openId?.only) return { outcome: "out_of_date" };
  const password = formField(reply.request.body, "password");
  const confirmed = await confirmPassword(reply, merchant.email, password);
  if (confirmed.outcome === "throttled") return confirmed;
  // If the account's sessions have ended since `merchant` was read, refuse the password too.
  const isRight =
    confirmed.outcome === "right" && confirmed.merchant.sessionEpoch === merchant.sessionEpoch;
  if (isRight) await recordSuccess(reply, merchant.email);
  return isRight ? { outcome: "right" } : { outcome: "wrong", field: "password" };
}
