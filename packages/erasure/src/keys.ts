import { modelKey, SESSION_KEYS, SIGN_IN_KEYS } from "@partner-connect/contract";
import { hashCredential } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";

/** Deletes personal data in the authorization server's Redis. The resource server's has none. */
export interface ErasableKeys {
  /**
   * Deletes the merchant's sessions, and the counters of sign-ins with this address. Returns the
   * number of deleted keys.
   */
  deleteMerchantKeys(merchantId: string, email: string): Promise<number>;
  /** Deletes the times of refresh tokens' last uses, by the tokens' SHA-256. */
  deleteTokenUses(hashes: readonly Buffer[]): Promise<void>;
}

/** Leaves the keys in Redis until they expire. They give no access. */
export const UNTIL_EXPIRED: ErasableKeys = {
  deleteMerchantKeys: async () => 0,
  deleteTokenUses: async () => {},
};

export function erasableKeys(redis: Redis): ErasableKeys {
  return {
    async deleteMerchantKeys(merchantId, email) {
      const account = hashCredential(email).toString("base64url");
      let forgotten = 0;
      for (const server of redis.nodes?.("master") ?? [redis]) {
        let cursor = "0";
        do {
          const [next, keys] = await server.scan(cursor, "COUNT", 1000);
          const sessions = keys.filter((key) => key.startsWith(`${SESSION_KEYS}:`));
          const stored = await Promise.all(sessions.map((key) => server.get(key)));
          const own = sessions.filter((_, index) => stored[index]?.includes(`"${merchantId}"`));
          const counters = keys.filter(
            (key) => key.startsWith(`${SIGN_IN_KEYS}:`) && key.includes(account),
          );
          await Promise.all([...own, ...counters].map((key) => server.del(key)));
          forgotten += own.length + counters.length;
          cursor = next;
        } while (cursor !== "0");
      }
      return forgotten;
    },
    async deleteTokenUses(hashes) {
      await Promise.all(hashes.map((hash) => redis.del(modelKey("RefreshToken", hash))));
    },
  };
}
