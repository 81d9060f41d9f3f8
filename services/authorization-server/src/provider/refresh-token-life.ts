import type { Redis } from "@partner-connect/service-runtime";
import type { Adapter } from "oidc-provider";
import { keyOf, NOT_USED } from "./record.ts";

/**
 * Refresh tokens: the client and the grant, as text, because neither is secret. The shop is in the token's value, and the connection's
 * row has the scope. A record that is found begins its lifetime anew in the same command, so its key alone says when it expires.
 */
export function slidingRecords(redis: Redis, model: string, ttl: number): Adapter {
  return {
    ...NOT_USED,
    async upsert(id, { clientId, grantId }, expiresIn: number) {
      await redis.set(keyOf(model, id), JSON.stringify({ clientId, grantId }), "EX", expiresIn);
    },
    async find(id) {
      const text = await redis.getex(keyOf(model, id), "EX", ttl);
      return text === null ? undefined : { ...JSON.parse(text), jti: id };
    },
    async destroy(id) {
      await redis.del(keyOf(model, id));
    },
  };
}
