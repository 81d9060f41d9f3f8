import { createHmac, hkdfSync } from "node:crypto";
import { canonicalEmail } from "@partner-connect/directory";

/**
 * What stands in the log for an account that somebody tries to sign in to. What was typed may be a password in the wrong field, so it is
 * hashed with a key, derived from our role's password in Postgres, which every replica has; without one nothing is logged.
 */
export function accountHasher(databaseUrl: string): (email: string) => string | undefined {
  const password = /^[a-z]+:\/\/[^/?#@:]*:([^/?#@]+)@/i.exec(databaseUrl)?.[1];
  if (!password) return () => undefined;
  const key = Buffer.from(hkdfSync("sha256", password, "", "account in logs", 32));
  return (email) => {
    const account = canonicalEmail(email) ?? email;
    return createHmac("sha256", key).update(account).digest("base64url").slice(0, 16);
  };
}
