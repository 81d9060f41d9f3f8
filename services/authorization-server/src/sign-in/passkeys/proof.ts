import { normalizeIP } from "@fastify/rate-limit";
import { type MerchantAccount, type Passkey, usePasskey } from "@partner-connect/directory";
import type { FastifyReply } from "fastify";
import { formField } from "../../pages/form-token.ts";
import { confirm } from "../confirm.ts";
import type { SignInContext } from "../sign-in-context.ts";
import { readAnswer, signedCounter } from "./passkey-answer.ts";

export type Proof =
  | { readonly outcome: "right" }
  | { readonly outcome: "wrong"; readonly field: "passkey" | "password" }
  /** The challenge was used, has expired, or is another page's. */
  | { readonly outcome: "out_of_date" }
  | { readonly outcome: "throttled"; readonly waitSeconds: number };

/** The purpose of a challenge that proves who a merchant is. */
export function proofOf({ id }: MerchantAccount): string {
  return `proof of ${id}`;
}

/** In ten minutes, of one account from one network. What is bounded is our work. The owner's own network is never kept out by others. */
const MAX_ATTEMPTS = 10;

/** Judges what the form posts: a passkey's signature, or the password of a merchant who has no passkey. */
export async function judgeProof(
  context: SignInContext,
  reply: FastifyReply,
  merchant: MerchantAccount,
  passkeys: readonly Passkey[],
): Promise<Proof> {
  const { request } = reply;
  const { attempts } = context;
  if (passkeys.length === 0) return await judgePassword(context, reply, merchant);

  const key = `network:${normalizeIP(request.ip)}:account:${merchant.id}`;
  const { current, ttl } = await attempts.add(key);
  if (current > MAX_ATTEMPTS) return { outcome: "throttled", waitSeconds: Math.ceil(ttl / 1000) };
  const proof = await judgeSignature(context, reply, merchant, passkeys);
  if (proof.outcome === "right") await attempts.takeBack(key);
  return proof;
}

async function judgeSignature(
  { sql, challenges, party }: SignInContext,
  { request }: FastifyReply,
  merchant: MerchantAccount,
  passkeys: readonly Passkey[],
): Promise<Proof> {
  const wrong = { outcome: "wrong", field: "passkey" } as const;
  const text = formField(request.body, "credential");
  const answer = readAnswer(text);
  if (answer === null) return wrong;
  if (!(await challenges.use(request, proofOf(merchant), answer.challenge))) return { outcome: "out_of_date" };
  const passkey = passkeys.find(({ id }) => id === answer.id);
  if (!passkey) return wrong;
  const counter = await signedCounter(party, passkey, answer.challenge, text, request.log);
  if (counter === null) return wrong;
  const isUsed = await usePasskey(sql, merchant.id, { id: passkey.id, counter });
  return isUsed ? { outcome: "right" } : wrong;
}

async function judgePassword(context: SignInContext, reply: FastifyReply, merchant: MerchantAccount): Promise<Proof> {
  const confirmed = await confirm(context, reply, merchant.email, formField(reply.request.body, "password"));
  if (confirmed.outcome === "throttled") return confirmed;
  // The account as it was before: what has ended its sessions meanwhile ends this proof too.
  const isRight = confirmed.outcome === "right" && confirmed.merchant.sessionEpoch === merchant.sessionEpoch;
  return isRight ? { outcome: "right" } : { outcome: "wrong", field: "password" };
}
