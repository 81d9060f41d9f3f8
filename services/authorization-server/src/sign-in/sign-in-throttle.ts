import { SIGN_IN_KEYS } from "@partner-connect/contract";
import { canonicalEmail, hashCredential } from "@partner-connect/directory";
import { type Redis, WindowCounts } from "@partner-connect/service-runtime";
import { type DeviceStatus, knownDevices } from "./known-devices.ts";

export interface SignInAttempt {
  readonly email: string;
  readonly network: string;
  readonly device: string | null;
}

export interface Throttled {
  readonly waitSeconds: number;
  /** The counter that is over its limit. */
  readonly by: "device and account" | "network and account" | "network";
  /** True for the first refused attempt of a window, over all replicas. */
  readonly isFirst: boolean;
}

const GUESS_SECONDS = 10 * 60;
/** Maximum attempts per account and network, or per account and known device. */
const OF_ACCOUNT = 6;
const OF_NETWORK = 100;

const SUCCESS_SECONDS = 30 * 60;
const SUCCESSES = 30;

/**
 * Slows password guessing by counting attempts per network, and per account and network; or, from a
 * known device of the account, per account and device. No counter is per account only, so strangers
 * can't lock the owner out. Unknown accounts count like others.
 */
export function signInThrottle(redis: Redis) {
  const guesses = new WindowCounts(GUESS_SECONDS, { redis, prefix: SIGN_IN_KEYS });
  const successes = new WindowCounts(SUCCESS_SECONDS, {
    redis,
    prefix: `${SIGN_IN_KEYS}:successes`,
  });
  const devices = knownDevices(redis);

  /** The counters of an attempt, each with its limit. */
  async function countersOf(attempt: SignInAttempt) {
    const { device, devices: key, ...keys } = keysOf(attempt);
    if (device && keys.deviceAndAccount && (await devices.isKnown(key, device)))
      return [{ key: keys.deviceAndAccount, max: OF_ACCOUNT, by: "device and account" }] as const;
    // Count the network first, because a network over its limit must not create a counter for
    // each further account that it tries.
    return [
      { key: keys.network, max: OF_NETWORK, by: "network" },
      { key: keys.networkAndAccount, max: OF_ACCOUNT, by: "network and account" },
    ] as const;
  }

  const takeBack = (counters: readonly { readonly key: string }[]) =>
    Promise.all(counters.map(({ key }) => guesses.takeBack(key)));

  return {
    /**
     * Counts an attempt before its password is checked. Returns null, or which counter refuses it
     * and for how long.
     */
    async begin(attempt: SignInAttempt): Promise<Throttled | null> {
      const counters = await countersOf(attempt);
      for (const [index, { key, max, by }] of counters.entries()) {
        const { current, ttl } = await guesses.add(key);
        if (current <= max) continue;
        // This refused attempt must not count against other people on the network.
        await takeBack(counters.slice(0, index));
        return { waitSeconds: Math.ceil(ttl / 1000), by, isFirst: current === max + 1 };
      }
      return null;
    },
    /** Takes back an attempt whose password could not be checked. */
    takeBack: async (attempt: SignInAttempt): Promise<void> =>
      void (await takeBack(await countersOf(attempt))),
    /**
     * Removes the attempt and earlier failures from the counts, and remembers the device once
     * `record` is done. If the account has had too many successes, the attempt still counts as a
     * guess.
     */
    async succeed(
      attempt: SignInAttempt & { readonly device: string },
      record?: (status: DeviceStatus) => Promise<void>,
    ): Promise<void> {
      const keys = keysOf(attempt);
      const device = hash(attempt.device);
      const status = await devices.statusOf(keys.devices, device);
      if ((await successes.add(keys.account)).current <= SUCCESSES) {
        await Promise.all([
          keys.deviceAndAccount && guesses.forget(keys.deviceAndAccount),
          guesses.forget(keys.networkAndAccount),
          status !== "known" && guesses.takeBack(keys.network),
        ]);
      }
      await record?.(status);
      await devices.remember(keys.devices, device);
    },
  };
}

function keysOf({ email, network, device }: SignInAttempt) {
  const account = hash(canonicalEmail(email) ?? email);
  const deviceHash = device && hash(device);
  return {
    account,
    network: `network:${network}`,
    networkAndAccount: `network:${network}:account:${account}`,
    deviceAndAccount: deviceHash && `device:${deviceHash}:account:${account}`,
    device: deviceHash,
    devices: `${SIGN_IN_KEYS}:devices:${account}`,
  };
}

function hash(value: string): string {
  return hashCredential(value).toString("base64url");
}
