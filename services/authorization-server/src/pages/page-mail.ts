import { normalizeIP } from "@fastify/rate-limit";
import { canonicalEmail, hashCredential } from "@partner-connect/directory";
import { noteFacts, type Redis, WindowCounts } from "@partner-connect/service-runtime";
import type { FastifyRequest } from "fastify";

const WINDOW_SECONDS = 30 * 60;
/** A whole office may be on one network. */
const OF_NETWORK = 60;
/** Each of the refused ones comes after a mail whose link still works, so a stranger keeps nobody from getting one. */
const TO_MAILBOX = 3;

/** Mails that pages offer; null where mail is off. `from`: the address that our mails come from. */
export function pageMail(redis: Redis, from: string | null) {
  if (from === null) return null;
  const counts = new WindowCounts(WINDOW_SECONDS, { redis, prefix: "mail" });
  return {
    from,
    /**
     * Counts a mail that somebody asks for: by network, and by the mailbox that it goes to. Null, or for how long none must be sent.
     * Addresses that nobody has count like others.
     */
    async allow(request: FastifyRequest, to: string): Promise<{ seconds: number; minutes: number } | null> {
      const network = `network:${normalizeIP(request.ip)}`;
      let { current, ttl } = await counts.add(network);
      if (current <= OF_NETWORK) {
        ({ current, ttl } = await counts.add(`to:${hashCredential(canonicalEmail(to) ?? to).toString("base64url")}`));
        if (current <= TO_MAILBOX) return null;
        await counts.takeBack(network);
      }
      noteFacts(request, { reason: "throttled", limit: "mail" });
      return { seconds: Math.ceil(ttl / 1000), minutes: Math.ceil(ttl / 60_000) };
    },
  };
}
