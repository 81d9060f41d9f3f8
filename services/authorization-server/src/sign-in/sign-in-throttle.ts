import { hashCredential } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";

/** Who tries to sign in, as far as it can be told before the password is checked. */
export interface SignInAttempt {
  readonly email: string;
  readonly network: string;
  /** The device cookie's value. */
  readonly device: string | null;
}

/** An attempt is counted before its password is checked, so parallel guesses count too; a success is taken back. */
export interface SignInThrottle {
  /** Counts the attempt. Seconds to wait if it must not be tried now, else null. */
  begin(attempt: SignInAttempt): Promise<number | null>;
  /** The password was right: forgets the attempt, and remembers the device. */
  succeed(attempt: SignInAttempt & { readonly device: string }): Promise<void>;
}

/** `burst` failures at once, then one more each `everyMs`. */
interface Allowance {
  readonly burst: number;
  readonly everyMs: number;
}

const DEVICE_AND_ACCOUNT: Allowance = { burst: 10, everyMs: 60_000 };
const NETWORK_AND_ACCOUNT: Allowance = { burst: 6, everyMs: 120_000 };
/** While an account is attacked from everywhere, a network without a known device has one guess at a time. */
const NETWORK_AND_ATTACKED_ACCOUNT: Allowance = { burst: 1, everyMs: 120_000 };
const NETWORK: Allowance = { burst: 100, everyMs: 5_000 };
/** Beyond this an account counts as attacked. It refuses nobody by itself, or anybody could lock its owner out. */
const ACCOUNT: Allowance = { burst: 50, everyMs: 60_000 };

const DEVICE_SECONDS = 180 * 24 * 3600;

/** KEYS[1] holds when the allowance is whole again, in ms. Returns 0 and takes one, or the ms until there is one. */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local burst, every = tonumber(ARGV[1]), tonumber(ARGV[2])
local whole = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local wait = whole + every - burst * every - now
if wait > 0 then return wait end
redis.call('SET', KEYS[1], string.format('%d', whole + every), 'PX', whole + every - now)
return 0`;

/** Gives one back. */
const RETURN = `
local whole = redis.call('GET', KEYS[1])
if whole then redis.call('SET', KEYS[1], string.format('%d', whole - ARGV[1]), 'KEEPTTL') end
return 0`;

/**
 * Slows guessing down by account and by network, and never by account alone: the owner signs in from a device that
 * has been used before, or from another network, whatever strangers do. Accounts that don't exist count like others.
 */
export function signInThrottle(redis: Redis): SignInThrottle {
  const keys = ({ email, network, device }: SignInAttempt) => {
    const account = hash(email.trim().toLowerCase());
    return {
      account: `sign_in:account:${account}`,
      network: `sign_in:network:${network}`,
      networkAndAccount: `sign_in:network:${network}:account:${account}`,
      deviceAndAccount: device && `sign_in:device:${hash(device)}:account:${account}`,
      knownDevice: device && `sign_in:known_device:${hash(device)}:account:${account}`,
    };
  };
  const take = async (key: string, { burst, everyMs }: Allowance) =>
    (await redis.eval(TAKE, 1, key, burst, everyMs)) as number;
  const giveBack = (key: string, { everyMs }: Allowance) => redis.eval(RETURN, 1, key, everyMs);
  const isKnown = async (key: string | null) => key !== null && (await redis.exists(key)) === 1;

  return {
    async begin(attempt) {
      const key = keys(attempt);
      if (key.deviceAndAccount && (await isKnown(key.knownDevice))) {
        return seconds(await take(key.deviceAndAccount, DEVICE_AND_ACCOUNT));
      }
      // The network first: one that tries account after account must not leave a counter for each for as long as it likes.
      const network = await take(key.network, NETWORK);
      if (network > 0) return seconds(network);
      const attacked = (await take(key.account, ACCOUNT)) > 0;
      const pair = await take(key.networkAndAccount, attacked ? NETWORK_AND_ATTACKED_ACCOUNT : NETWORK_AND_ACCOUNT);
      if (pair > 0) await giveBack(key.network, NETWORK);
      return seconds(pair);
    },
    async succeed(attempt) {
      const key = keys(attempt);
      const wasKnown = await isKnown(key.knownDevice);
      await Promise.all([
        key.knownDevice && redis.set(key.knownDevice, "1", "EX", DEVICE_SECONDS),
        key.deviceAndAccount && redis.del(key.deviceAndAccount),
        redis.del(key.networkAndAccount),
        !wasKnown && giveBack(key.network, NETWORK),
        !wasKnown && giveBack(key.account, ACCOUNT),
      ]);
    },
  };
}

function hash(value: string): string {
  return hashCredential(value).toString("base64url");
}

function seconds(milliseconds: number): number | null {
  return milliseconds > 0 ? Math.ceil(milliseconds / 1000) : null;
}
