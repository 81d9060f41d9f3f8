import { hashCredential } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import type { Adapter, AdapterPayload } from "oidc-provider";

/** How long a redeemed code is still recognised, so that its replay is noticed. */
const REDEEMED_SECONDS = 24 * 60 * 60;

/**
 * The library's records in Redis: a hash `oauth:<model>:<SHA-256 of the id>` with the payload and, once consumed, when.
 * Ids are bearer credentials, so neither key nor payload holds one: `jti` is left out and put back by who presents it.
 */
export function redisAdapter(redis: Redis): (model: string) => Adapter {
  return (model) => {
    const key = (id: string) => `oauth:${model}:${hashCredential(id).toString("base64url")}`;
    return {
      async upsert(id, { jti: _, ...payload }, expiresIn: number) {
        const name = key(id);
        await run(redis.multi().hset(name, "payload", JSON.stringify(payload)).expire(name, expiresIn));
      },
      async find(id): Promise<AdapterPayload | undefined> {
        const { payload, consumed } = await redis.hgetall(key(id));
        if (payload === undefined) return undefined;
        return { ...JSON.parse(payload), jti: id, ...(consumed !== undefined && { consumed: true }) };
      },
      async consume(id) {
        const name = key(id);
        await run(
          redis
            .multi()
            .hset(name, "consumed", Math.floor(Date.now() / 1000))
            .expire(name, REDEEMED_SECONDS),
        );
      },
      async destroy(id) {
        await redis.del(key(id));
      },
      // The library asks these only for features that are off.
      findByUid: () => Promise.resolve(undefined),
      findByUserCode: () => Promise.resolve(undefined),
      revokeByGrantId: () => Promise.resolve(),
    };
  };
}

/** A transaction's commands answer one by one; the first that failed is the error. */
async function run(transaction: ReturnType<Redis["multi"]>): Promise<void> {
  for (const [error] of (await transaction.exec()) ?? []) if (error) throw error;
}
