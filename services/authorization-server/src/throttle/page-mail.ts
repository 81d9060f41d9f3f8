import { canonicalEmail, hashCredential } from "@partner-connect/directory";
import { noteFacts, type Redis } from "@partner-connect/service-runtime";
import type { PageMail } from "../pages/page-mail.ts";
import { type Allowance, allowanceStore } from "./allowance-store.ts";
import { networkOf } from "./network.ts";

/** A whole office may be on one network. */
const NETWORK: Allowance = { burst: 60, everyMs: 30_000 };
/** Each of the refused ones comes after a mail whose link still works, so a stranger keeps nobody from getting one. */
const MAILBOX: Allowance = { burst: 3, everyMs: 600_000 };

/** Mails that pages offer, where `from` is set. */
export function pageMail(redis: Redis, from: string | null): PageMail | null {
  if (from === null) return null;
  const { take, giveBack } = allowanceStore(redis);
  return {
    from,
    async allow(request, to) {
      const network = `mail:network:${networkOf(request.ip)}`;
      const mailbox = `mail:to:${hashCredential(canonicalEmail(to) ?? to).toString("base64url")}`;
      let wait = await take(network, NETWORK);
      if (wait === 0) {
        wait = await take(mailbox, MAILBOX);
        if (wait > 0) await giveBack(network, NETWORK);
      }
      if (wait === 0) return null;
      noteFacts(request, { reason: "throttled", limit: "mail" });
      return { seconds: Math.ceil(wait / 1000), minutes: Math.ceil(wait / 60_000) };
    },
  };
}
