import type { Sql } from "@partner-connect/database";
import { hashCredential, hasPasskey, type MerchantAccount } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type MerchantCookie, randomSecret } from "../../pages/merchant-cookie.ts";
import type { MerchantSession, SessionProof } from "../merchant-session.ts";
import type { KnownDevices } from "../throttle/known-devices.ts";

/** How long a sign-in or a passkey counts for what needs a fresh one. */
const FRESH_MS = 10 * 60_000;

/** How much the clocks of two replicas may differ. */
const CLOCK_SKEW_MS = 60_000;

interface SecondFactorOptions {
  readonly sql: Sql;
  readonly session: MerchantSession;
  readonly devices: KnownDevices;
  readonly deviceCookie: MerchantCookie;
}

export type SecondFactor = ReturnType<typeof secondFactor>;

/**
 * When more than the password is asked of a merchant who has a passkey. A device is trusted once the passkey was shown on it, until all sessions of the account end: what ends them, as a new password or a change of passkeys, makes each device new again.
 */
export function secondFactor({ sql, session, devices, deviceCookie }: SecondFactorOptions) {
  const keyOf = ({ id, sessionEpoch }: MerchantAccount) => `second_factor:devices:${id}:${sessionEpoch}`;
  const hash = (device: string) => hashCredential(device).toString("base64url");
  return {
    /** Whether a sign-in from here needs no passkey: there is none, or the device is trusted. */
    async isTrusted(request: FastifyRequest, merchant: MerchantAccount): Promise<boolean> {
      if (!(await hasPasskey(sql, merchant.id))) return true;
      const device = deviceCookie.read(request);
      return device !== null && (await devices.isKnown(keyOf(merchant), hash(device)));
    },
    /** A session of a merchant who has proved who she is just now, on a device that is trusted from then on. */
    async startProven(reply: FastifyReply, merchant: MerchantAccount): Promise<void> {
      const device = deviceCookie.read(reply.request) ?? randomSecret();
      await devices.remember(keyOf(merchant), hash(device));
      deviceCookie.set(reply, device);
      await session.start(reply, merchant, { at: Date.now(), by: "asked" });
    },
    /** Whether an approval of personal data has to wait for a passkey. */
    async mustProve(request: FastifyRequest, merchant: MerchantAccount): Promise<boolean> {
      return !isFresh(await session.proof(request)) && (await hasPasskey(sql, merchant.id));
    },
    /** Whether the passkeys may be changed. Where there is one, a sign-in by the password on a trusted device is not enough. */
    async isProven(request: FastifyRequest, merchant: MerchantAccount): Promise<boolean> {
      const proof = await session.proof(request);
      if (!isFresh(proof)) return false;
      return proof?.by === "asked" || !(await hasPasskey(sql, merchant.id));
    },
  };
}

function isFresh(proof: SessionProof | null): boolean {
  const age = Date.now() - (proof?.at ?? -Infinity);
  return age >= -CLOCK_SKEW_MS && age < FRESH_MS;
}
