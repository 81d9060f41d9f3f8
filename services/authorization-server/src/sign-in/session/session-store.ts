import { hashCredential } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import { randomSecret } from "../../merchant-page/forms/merchant-cookie.ts";

const IDLE_SECONDS = 3600;
const ABSOLUTE_SECONDS = 12 * 3600;

/** For which a session of a former epoch is kept: the request that ended the others may have yet to note that this one goes on. */
const ENDED_SECONDS = 60;

/** Sessions that a merchant may have at a time. One more ends the oldest. */
const MAX_SESSIONS = 20;

interface StoredSession {
  readonly merchantId: string;
  /** Milliseconds since the epoch. */
  readonly signedInAt: number;
  /** The former release, which may run beside this one, finds no session without it. */
  readonly epoch: "0";
  /** The merchant's `sessionEpoch` in Postgres as it was when the password was checked. The former release left it out. */
  readonly accountEpoch?: number;
  /** The former release left it out. */
  readonly proof?: SessionProof | null;
  /** As the browser names itself; null: not known. The former release left it and the address out. */
  readonly device?: string | null;
  readonly address?: string;
}

export interface SessionProof {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `asked`: by a passkey, a recovery code, or the password where there is no passkey. */
  readonly by: "sign_in" | "asked";
}

interface OpenSession {
  readonly merchantId: string;
  readonly accountEpoch: number;
  readonly proof: SessionProof | null;
}

interface NewSession extends OpenSession {
  readonly device: string | null;
  readonly address: string;
}

interface ListedSession extends Omit<OpenSession, "proof"> {
  readonly hash: string;
  readonly device: string | null;
  readonly address: string | null;
  readonly signedInAt: Date;
  readonly lastUsedAt: Date;
}

/** What all merchants had before the first change of a password. */
const FIRST_EPOCH = 1;

/** What Redis and the pages know of a session id. */
export function hashOf(id: string): string {
  return hashCredential(id).toString("base64url");
}

/** Until it ends, if it is not used again. */
function secondsLeft({ signedInAt }: StoredSession): number {
  return Math.min(IDLE_SECONDS, ABSOLUTE_SECONDS - Math.floor((Date.now() - signedInAt) / 1000));
}

/**
 * The sessions of merchants: they end after an hour without use, at the latest after twelve. Each is a key of its own, so that a page asks
 * for one. An index of each merchant has the hashes, by the time of the sign-in; what it names may have ended.
 */
export function sessionStore(redis: Redis) {
  const sessionKey = (hash: string) => `merchant_session:${hash}`;
  const indexKey = (merchantId: string) => `merchant_sessions:${merchantId}`;

  async function read(hash: string): Promise<StoredSession | null> {
    const stored = await redis.get(sessionKey(hash));
    const session = stored === null ? null : (JSON.parse(stored) as StoredSession);
    return session !== null && Date.now() - session.signedInAt < ABSOLUTE_SECONDS * 1000 ? session : null;
  }

  /** Null if it has ended. The rest of its life says when it was used last; in its twelfth hour, not before when. */
  async function readListed(hash: string): Promise<ListedSession | null> {
    const [session, left] = await Promise.all([read(hash), redis.pttl(sessionKey(hash))]);
    if (session === null || left <= 0) return null;
    const { merchantId, accountEpoch = FIRST_EPOCH, device = null, address = null, signedInAt } = session;
    const lastUsedAt = new Date(Math.max(Date.now() - IDLE_SECONDS * 1000 + left, signedInAt));
    return { hash, merchantId, accountEpoch, device, address, signedInAt: new Date(signedInAt), lastUsedAt };
  }

  const store = {
    async open(opened: NewSession): Promise<string> {
      const id = randomSecret();
      const signedInAt = Date.now();
      const session: StoredSession = { signedInAt, epoch: "0", ...opened };
      const index = indexKey(opened.merchantId);
      // Before the session, so that none is left out of the index.
      await redis.zadd(index, signedInAt, hashOf(id));
      await redis.expire(index, ABSOLUTE_SECONDS);
      await redis.set(sessionKey(hashOf(id)), JSON.stringify(session), "EX", IDLE_SECONDS);
      if ((await redis.zcard(index)) > MAX_SESSIONS) {
        const live = (await store.list(opened.merchantId)).sort(
          (a, b) => a.signedInAt.getTime() - b.signedInAt.getTime(),
        );
        const over = live.slice(0, Math.max(live.length - MAX_SESSIONS, 0));
        await Promise.all(over.map(({ hash }) => store.closeHash(opened.merchantId, hash)));
      }
      return id;
    },
    async find(id: string): Promise<OpenSession | null> {
      const hash = hashOf(id);
      const session = await read(hash);
      if (session === null) return null;
      await redis.expire(sessionKey(hash), secondsLeft(session));
      const { merchantId, accountEpoch = FIRST_EPOCH, proof = null } = session;
      return { merchantId, accountEpoch, proof };
    },
    closeSoon: async (id: string) => void (await redis.expire(sessionKey(hashOf(id)), ENDED_SECONDS)),
    close: async (id: string) => void (await redis.del(sessionKey(hashOf(id)))),
    async closeHash(merchantId: string, hash: string): Promise<void> {
      await redis.del(sessionKey(hash));
      await redis.zrem(indexKey(merchantId), hash);
    },
    /** Those that have not ended, the last used first. What has ended leaves the index. */
    async list(merchantId: string): Promise<ListedSession[]> {
      const hashes = await redis.zrange(indexKey(merchantId), "0", "-1");
      const found = await Promise.all(hashes.map(readListed));
      const ended = hashes.filter((_, index) => found[index]?.merchantId !== merchantId);
      if (ended.length > 0) await redis.zrem(indexKey(merchantId), ...ended);
      const live = found.filter((session) => session?.merchantId === merchantId) as ListedSession[];
      return live.sort((a, b) => b.lastUsedAt.getTime() - a.lastUsedAt.getTime());
    },
    /** Lets the session go on at another epoch of the account. */
    async keep(id: string, accountEpoch: number): Promise<void> {
      const session = await read(hashOf(id));
      if (session === null) return;
      const kept = JSON.stringify({ ...session, accountEpoch });
      await redis.set(sessionKey(hashOf(id)), kept, "EX", secondsLeft(session), "XX");
    },
  };
  return store;
}
