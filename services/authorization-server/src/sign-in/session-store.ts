import { hashCredential } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import { randomSecret } from "../pages/merchant-cookie.ts";

const IDLE_SECONDS = 3600;
const ABSOLUTE_SECONDS = 12 * 3600;

interface Session {
  readonly merchantId: string;
  /** The merchant's `sessionEpoch` in Postgres as it was when the password was checked. */
  readonly accountEpoch: number;
  readonly proof: SessionProof | null;
}

interface StoredSession extends Session {
  /** Milliseconds since the epoch. */
  readonly signedInAt: number;
}

export interface SessionProof {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `asked`: by a passkey, or the password where there is no passkey. */
  readonly by: "sign_in" | "asked";
}

/** The sessions of merchants, by a hash of their ids. They end after an hour without use, at the latest after twelve. */
export function sessionStore(redis: Redis) {
  const keyOf = (id: string) => `merchant_session:${hashCredential(id).toString("base64url")}`;
  return {
    async open(opened: Session): Promise<string> {
      const id = randomSecret();
      const session: StoredSession = { signedInAt: Date.now(), ...opened };
      await redis.set(keyOf(id), JSON.stringify(session), "EX", IDLE_SECONDS);
      return id;
    },
    async find(id: string): Promise<Session | null> {
      const stored = await redis.get(keyOf(id));
      const session = stored === null ? null : (JSON.parse(stored) as StoredSession);
      if (session === null) return null;
      const left = ABSOLUTE_SECONDS - Math.floor((Date.now() - session.signedInAt) / 1000);
      if (left <= 0) return null;
      await redis.expire(keyOf(id), Math.min(IDLE_SECONDS, left));
      return session;
    },
    close: async (id: string) => void (await redis.del(keyOf(id))),
  };
}
