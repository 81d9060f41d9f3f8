import { hashCredential } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import { randomSecret } from "../../merchant-page/forms/merchant-cookie.ts";

const IDLE_SECONDS = 3600;
const ABSOLUTE_SECONDS = 12 * 3600;

interface StoredSession {
  readonly merchantId: string;
  /** Milliseconds since the epoch. */
  readonly signedInAt: number;
  /** The former release, which may run beside this one, finds no session without it. */
  readonly epoch: "0";
  /** The merchant's `sessionEpoch` in Postgres as it was when the password was checked. The former release left it out. */
  readonly accountEpoch?: number;
}

/** Whose session it is, if the merchant's account still has that epoch. */
export interface OpenSession {
  readonly merchantId: string;
  readonly accountEpoch: number;
}

/** What all merchants had before the first change of a password. */
const FIRST_EPOCH = 1;

/** The sessions of merchants: they end after an hour without use, at the latest after twelve. Redis has a hash of each id. */
export interface SessionStore {
  /** Starts a session and returns its id, which is new. */
  open(session: OpenSession): Promise<string>;
  /** A live session, or null. It then counts as used. */
  find(id: string): Promise<OpenSession | null>;
  close(id: string): Promise<void>;
}

export function sessionStore(redis: Redis): SessionStore {
  const sessionKey = (id: string) => `merchant_session:${hashCredential(id).toString("base64url")}`;
  return {
    async open({ merchantId, accountEpoch }) {
      const id = randomSecret();
      const session: StoredSession = { merchantId, signedInAt: Date.now(), epoch: "0", accountEpoch };
      await redis.set(sessionKey(id), JSON.stringify(session), "EX", IDLE_SECONDS);
      return id;
    },
    async find(id) {
      const stored = await redis.get(sessionKey(id));
      if (stored === null) return null;
      const session = JSON.parse(stored) as StoredSession;
      const leftSeconds = ABSOLUTE_SECONDS - Math.floor((Date.now() - session.signedInAt) / 1000);
      if (leftSeconds <= 0) {
        await redis.del(sessionKey(id));
        return null;
      }
      await redis.expire(sessionKey(id), Math.min(IDLE_SECONDS, leftSeconds));
      return { merchantId: session.merchantId, accountEpoch: session.accountEpoch ?? FIRST_EPOCH };
    },
    async close(id) {
      await redis.del(sessionKey(id));
    },
  };
}
