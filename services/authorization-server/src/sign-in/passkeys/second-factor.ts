import { hashCredential, hasPasskey, type MerchantAccount } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import { withReturnTo } from "../../browser/return-paths.ts";
import { PROOF_PATH } from "../../pages/paths.ts";
import { deviceCookie } from "../confirm-password.ts";
import { lastProof, type SessionProof, startSession } from "../session.ts";

/** Milliseconds for which a confirmation of the identity counts as fresh. */
const FRESH_MS = 10 * 60_000;

/** Maximum milliseconds between the clocks of two replicas. */
const CLOCK_SKEW_MS = 60_000;

/* A merchant with a passkey needs it besides the password, except on a trusted device. A device on
   which the passkey is used is trusted until all sessions of the account end. A new password or a
   change of passkeys ends them, so no device is trusted after that. */

const keyOf = ({ id, sessionEpoch }: MerchantAccount) =>
  `second_factor:devices:${id}:${sessionEpoch}`;
const hash = (device: string) => hashCredential(device).toString("base64url");

/** True if a sign-in from here needs no passkey: the account has none, or the device is trusted. */
export async function maySkipPasskey(request: FastifyRequest, merchant: MerchantAccount) {
  const { pagesSql, signIn } = request.server;
  if (!(await hasPasskey(pagesSql, merchant.id))) return true;
  const device = deviceCookie.read(request);
  return device !== null && (await signIn.devices.isKnown(keyOf(merchant), hash(device)));
}

/** Starts a session once the identity is confirmed, and trusts the device from then on. */
export async function startTrustedSession(reply: FastifyReply, merchant: MerchantAccount) {
  const device = deviceCookie.readOrNew(reply);
  await reply.server.signIn.devices.remember(keyOf(merchant), hash(device));
  deviceCookie.set(reply, device);
  await startSession(reply, merchant, { at: Date.now(), by: "asked" });
}

/** True if the merchant has a passkey, and has not confirmed their identity in `FRESH_MS`. */
export async function mustConfirmIdentity(request: FastifyRequest, merchant: MerchantAccount) {
  return (
    !isFresh(await lastProof(request)) && (await hasPasskey(request.server.pagesSql, merchant.id))
  );
}

/**
 * True if the passkeys may be changed. If the account has one, a sign-in by password on a trusted
 * device is not enough.
 */
export async function mayChangePasskeys(request: FastifyRequest, merchant: MerchantAccount) {
  const proof = await lastProof(request);
  if (!isFresh(proof)) return false;
  return proof?.by === "asked" || !(await hasPasskey(request.server.pagesSql, merchant.id));
}

/** The path of the page that asks to confirm the identity, and then leads to `page`. */
export function confirmPath(reply: FastifyReply, page: string): string {
  return withReturnTo(reply, PROOF_PATH, { path: page, app: null });
}

function isFresh(proof: SessionProof | null): boolean {
  const age = Date.now() - (proof?.at ?? -Infinity);
  return age >= -CLOCK_SKEW_MS && age < FRESH_MS;
}
