import { hashCredential } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import type { Adapter, AdapterPayload } from "oidc-provider";
import { seal, unseal } from "../sealing/sealed-text.ts";

/** How long a redeemed code is still recognised, so that its replay is noticed. */
const REDEEMED_SECONDS = 24 * 60 * 60;

/**
 * The library's records in Redis, of which codes are the only ones: a hash `oauth:<model>:<SHA-256 of the id>` with the
 * payload and, once consumed, when. Ids are bearer credentials, so neither key nor payload holds one, and the payload can
 * be read only by who presents the id: it is sealed with it. A record is written once; who writes it again changes nothing.
 */
export function redisAdapter(redis: Redis): (model: string) => Adapter {
  return (model) => {
    const purpose = `oauth:${model}`;
    const key = (id: string) => `${purpose}:${hashCredential(id).toString("base64url")}`;
    return {
      async upsert(id, { jti: _, ...payload }, expiresIn: number) {
        await redis.eval(WRITE_ONCE, 1, key(id), seal(JSON.stringify(payload), id, purpose), expiresIn);
      },
      async find(id): Promise<AdapterPayload | undefined> {
        const { payload, consumed } = await redis.hgetall(key(id));
        if (payload === undefined) return undefined;
        const text = unseal(payload, id, purpose);
        if (text === null) throw new Error(`a record of ${model} that its id does not open`);
        return { ...JSON.parse(text), jti: id, ...(consumed !== undefined && { consumed: true }) };
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

/** KEYS[1] is the record, ARGV[1] its payload, ARGV[2] its life in seconds. */
const WRITE_ONCE = `
if redis.call('HSETNX', KEYS[1], 'payload', ARGV[1]) == 1 then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return 0`;

/** A transaction's commands answer one by one; the first that failed is the error. */
async function run(transaction: ReturnType<Redis["multi"]>): Promise<void> {
  for (const [error] of (await transaction.exec()) ?? []) if (error) throw error;
}
