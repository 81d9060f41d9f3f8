import { SIGN_IN_KEYS } from "@partner-connect/contract";
import { hashCredential } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";

/**
 * `known`: the account was used from this device before. `new`: it was used recently, but not from
 * this device. `first`: it was not used recently from any device.
 */
export type DeviceStatus = "known" | "new" | "first";

/** Seconds for which an account's devices are remembered after the last sign-in. */
export const DEVICE_SECONDS: number = 180 * 24 * 3600;

/** Devices kept per account. */
const MAX_DEVICES = 10;

/**
 * KEYS[1]: the account's devices, the latest first. ARGV: the device, the number of devices to
 * keep, and the seconds to keep them.
 */
const REMEMBER = `
redis.call('LREM', KEYS[1], 1, ARGV[1])
redis.call('LPUSH', KEYS[1], ARGV[1])
redis.call('LTRIM', KEYS[1], 0, ARGV[2] - 1)
redis.call('EXPIRE', KEYS[1], ARGV[3])`;

/** The devices that last signed in to an account. */
export function knownDevices(redis: Redis) {
  const isKnown = async (key: string, device: string): Promise<boolean> =>
    (await redis.lpos(key, device)) !== null;
  return {
    isKnown,
    async statusOf(key: string, device: string): Promise<DeviceStatus> {
      if (await isKnown(key, device)) return "known";
      return (await redis.exists(key)) === 1 ? "new" : "first";
    },
    /** Stores the device as the latest of the account with this key. */
    remember: async (key: string, device: string): Promise<void> =>
      void (await redis.eval(REMEMBER, 1, key, device, MAX_DEVICES, DEVICE_SECONDS)),
  };
}

/** Where an attempt to sign in comes from. */
export interface SignInSource {
  readonly network: string;
  readonly device: string | null;
}

/** Seconds for which a device or network is remembered after its last sign-in. */
const SOURCE_SECONDS = 30 * 24 * 3600;

/** Devices and networks with a recent sign-in to any account. */
export function knownSources(redis: Redis) {
  const keysOf = ({ network, device }: SignInSource) =>
    [network, device]
      .filter((each) => each !== null)
      .map((each) => `${SIGN_IN_KEYS}:from:${hashCredential(each).toString("base64url")}`);
  return {
    isKnown: async (source: SignInSource): Promise<boolean> =>
      (await Promise.all(keysOf(source).map((key) => redis.exists(key)))).includes(1),
    remember: async (source: SignInSource): Promise<void> =>
      void (await Promise.all(
        keysOf(source).map((key) => redis.set(key, "", "EX", SOURCE_SECONDS)),
      )),
  };
}
