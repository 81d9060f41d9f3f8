import { createHash } from "node:crypto";
import type { Redis } from "@partner-connect/service-runtime";
import pRetry from "p-retry";
import type { OpenStack } from "../../cli.ts";
import { OperatorError } from "../../errors.ts";

/** What the authorization server's Redis has of people, and how it is found. The resource server's has times under hashes, for a day. */
export interface ErasableRedis {
  /** Sessions of the merchant, and what is counted of sign-ins with this address. Returns how many keys there were. */
  forgetMerchant(merchantId: string, email: string): Promise<number>;
  /** The hot halves of refresh tokens, by their SHA-256. */
  forgetTokens(hashes: readonly Buffer[]): Promise<void>;
}

/**
 * Runs `work` with it.
 * @throws {OperatorError} REDIS_UNKNOWN, REDIS_UNAVAILABLE: nothing was changed
 */
export async function withRedis<T>({ redisUrl }: OpenStack, work: (redis: ErasableRedis) => Promise<T>): Promise<T> {
  if (redisUrl === null) {
    throw new OperatorError("REDIS_URL is not set: sessions and tokens are erased there too", {
      code: "REDIS_UNKNOWN",
    });
  }
  const { connectRedis } = await import("@partner-connect/service-runtime");
  const redis = connectRedis(redisUrl, "partner-connect", { silence: 3000 });
  const told = async <R>(asked: Promise<R>): Promise<R> =>
    await asked.catch((error: Error) => {
      throw new OperatorError(`Redis does not answer (${error.message})`, { code: "REDIS_UNAVAILABLE" });
    });
  try {
    // While it connects, commands fail at once.
    const pace = { retries: Number.POSITIVE_INFINITY, maxRetryTime: 3000, minTimeout: 50, factor: 1 };
    await told(pRetry(() => redis.get("partner-connect"), pace));
    return await work({
      forgetMerchant: (merchantId, email) => told(forgetMerchant(redis, merchantId, email)),
      forgetTokens: (hashes) => told(forgetTokens(redis, hashes)),
    });
  } finally {
    redis.disconnect();
  }
}

async function forgetTokens(redis: Redis, hashes: readonly Buffer[]): Promise<void> {
  await Promise.all(hashes.map((hash) => redis.del(`oauth:RefreshToken:${hash.toString("base64url")}`)));
}

async function forgetMerchant(redis: Redis, merchantId: string, email: string): Promise<number> {
  const account = createHash("sha256").update(email).digest("base64url");
  let forgotten = 0;
  const { Cluster } = await import("ioredis");
  for (const server of redis instanceof Cluster ? redis.nodes("master") : [redis]) {
    let cursor = "0";
    do {
      const [next, keys] = await server.scan(cursor, "COUNT", 1000);
      const sessions = keys.filter((key) => key.startsWith("merchant_session:"));
      const stored = await Promise.all(sessions.map((key) => server.get(key)));
      const hers = sessions.filter((_, index) => stored[index]?.includes(`"${merchantId}"`));
      const isOthers = (key: string) => key.startsWith("sign_in:") && key.includes(account);
      const found = [...hers, ...keys.filter(isOthers)];
      await Promise.all(found.map((key) => server.del(key)));
      forgotten += found.length;
      cursor = next;
    } while (cursor !== "0");
  }
  return forgotten;
}
