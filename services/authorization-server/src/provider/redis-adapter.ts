import { hashCredential } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import type { Adapter, AdapterPayload } from "oidc-provider";
import { seal, unseal } from "../sealing/sealed-text.ts";

/** How long a redeemed code is still recognised, so that its replay is noticed. */
const REDEEMED_SECONDS = 24 * 60 * 60;

/**
 * The library's records in Redis; codes are the only ones. Each is a hash `oauth:<model>:<SHA-256 of the id>` of the
 * payload and, once it was consumed, the time of that. Ids are bearer credentials, so neither key nor payload holds one;
 * and the payload is sealed with the id, so that only a caller who presents the id can read it. The first write of a record
 * counts; a later one changes nothing.
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
        if (text === null) throw new Error(`a record of ${model} can't be opened with its id`);
        return { ...JSON.parse(text), jti: id, ...(consumed !== undefined && { consumed: true }) };
      },
      async consume(id) {
        await redis.eval(CONSUME, 1, key(id), Math.floor(Date.now() / 1000), REDEEMED_SECONDS);
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

/** KEYS[1]: the record. ARGV[1]: its payload. ARGV[2]: its lifetime, seconds. */
const WRITE_ONCE = `
if redis.call('HSETNX', KEYS[1], 'payload', ARGV[1]) == 1 then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return 0`;

/** ARGV: the time, and for how long it is kept, both in seconds. */
const CONSUME = `
redis.call('HSET', KEYS[1], 'consumed', ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 0`;
