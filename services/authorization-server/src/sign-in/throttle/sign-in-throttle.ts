import { canonicalEmail, hashCredential } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import type { DeviceNews } from "../../pages/merchant-sign-in.ts";
import { type Allowance, allowanceStore } from "../../throttle/allowance-store.ts";
import { knownDevices } from "./known-devices.ts";

export interface SignInAttempt {
  readonly email: string;
  readonly network: string;
  readonly device: string | null;
}

export interface Throttled {
  readonly waitSeconds: number;
  /** Which allowance is used up. 'attacked account': many networks have tried the account, so each has few attempts. */
  readonly by: "device and account" | "network" | "network and account" | "attacked account";
  readonly key: string;
}

export type SignInThrottle = ReturnType<typeof signInThrottle>;

const DEVICE_AND_ACCOUNT: Allowance = { burst: 10, everyMs: 60_000 };
const NETWORK_AND_ACCOUNT: Allowance = { burst: 6, everyMs: 120_000 };
/** While an account is under attack, each network has one guess at a time, except from a known device. */
const NETWORK_AND_ATTACKED_ACCOUNT: Allowance = { burst: 1, everyMs: 120_000 };
const NETWORK: Allowance = { burst: 100, everyMs: 5_000 };
/** An account with more attempts is under attack. This alone refuses nobody, or a stranger could lock the owner out. */
const ACCOUNT: Allowance = { burst: 50, everyMs: 60_000 };

const SUCCESSES: Allowance = { burst: 30, everyMs: 60_000 };

/** Throttling that goes on is news again after so long. */
const NEWS_SECONDS = 3600;

/**
 * Slows password guessing by account and network together, and by network, never by account alone: the owner can sign in from a known
 * device or another network. Accounts that don't exist count like others.
 */
export function signInThrottle(redis: Redis) {
  const { take, giveBack } = allowanceStore(redis);
  const devices = knownDevices(redis);
  return {
    /** Counts an attempt, before its password is checked. Null, or for how long and why it must not be tried now. */
    async begin(attempt: SignInAttempt): Promise<Throttled | null> {
      const keys = keysOf(attempt);
      if (keys.device && keys.deviceAndAccount && (await devices.isKnown(keys.devices, keys.device))) {
        const device = await take(keys.deviceAndAccount, DEVICE_AND_ACCOUNT);
        return throttled(device, "device and account", keys.deviceAndAccount);
      }
      // The network is counted first: over its limit, it must not leave a counter for each further account that it tries.
      const network = await take(keys.network, NETWORK);
      if (network > 0) return throttled(network, "network", keys.network);
      // Only what this lets through counts for the account: a network's refused attempts make nobody look attacked.
      const networkAndAccount = await take(keys.networkAndAccount, NETWORK_AND_ACCOUNT);
      if (networkAndAccount > 0) {
        await giveBack(keys.network, NETWORK);
        return throttled(networkAndAccount, "network and account", keys.networkAndAccount);
      }
      if ((await take(keys.account, ACCOUNT)) === 0) return null;
      await giveBack(keys.networkAndAccount, NETWORK_AND_ACCOUNT);
      const attacked = await take(keys.networkAndAccount, NETWORK_AND_ATTACKED_ACCOUNT);
      if (attacked > 0) await giveBack(keys.network, NETWORK);
      // It is one piece of news, however many networks take part.
      return throttled(attacked, "attacked account", keys.account);
    },
    /** Whether this throttling has just begun: true once within {@link NEWS_SECONDS}, over all replicas. */
    async isNews({ by, key }: Throttled): Promise<boolean> {
      return (await redis.set(newsKey(by, key), "1", "EX", NEWS_SECONDS, "NX")) !== null;
    },
    async forgetNews({ by, key }: Throttled): Promise<void> {
      await redis.del(newsKey(by, key));
    },
    /** Takes the attempt and the failures before it back, and remembers the device; beyond its own allowance it counts as a guess. */
    async succeed(attempt: SignInAttempt & { readonly device: string }): Promise<DeviceNews> {
      const keys = keysOf(attempt);
      const news = await devices.remember(keys.devices, hash(attempt.device));
      const wasKnown = news === "known";
      if ((await take(keys.successes, SUCCESSES)) > 0) return news;
      await Promise.all([
        keys.deviceAndAccount && redis.del(keys.deviceAndAccount),
        redis.del(keys.networkAndAccount),
        !wasKnown && giveBack(keys.network, NETWORK),
        !wasKnown && giveBack(keys.account, ACCOUNT),
      ]);
      return news;
    },
  };
}

function keysOf({ email, network, device }: SignInAttempt) {
  const account = hash(canonicalEmail(email) ?? email);
  const deviceHash = device && hash(device);
  return {
    account: `sign_in:account:${account}`,
    network: `sign_in:network:${network}`,
    networkAndAccount: `sign_in:network:${network}:account:${account}`,
    deviceAndAccount: deviceHash && `sign_in:device:${deviceHash}:account:${account}`,
    device: deviceHash,
    devices: `sign_in:devices:${account}`,
    successes: `sign_in:successes:${account}`,
  };
}

function hash(value: string): string {
  return hashCredential(value).toString("base64url");
}

function throttled(milliseconds: number, by: Throttled["by"], key: string): Throttled | null {
  return milliseconds > 0 ? { waitSeconds: Math.ceil(milliseconds / 1000), by, key } : null;
}

function newsKey(by: Throttled["by"], key: string): string {
  return `sign_in:throttled:${by}:${key}`;
}
