import { createHash, createHmac } from "node:crypto";
import type { StoredRecord } from "../read-log.ts";

/** Bytes of a record's digest. */
export const DIGEST_BYTES = 16;

const PSEUDONYM = /^erased:[\w-]{22}$/;

/** What erasure puts in the place of a record's actor, or of a whole text in its details. Records with the one and with the other have the same digest. */
export function pseudonym(namesKey: string, text: string): string {
  if (PSEUDONYM.test(text)) return text;
  return `erased:${createHmac("sha256", namesKey).update(text).digest().subarray(0, 16).toString("base64url")}`;
}

/** Of everything that is stored of a record. The actor, and each text in the details, count as their {@link pseudonym}. */
export function recordDigest(namesKey: string, { details, actor, ...columns }: StoredRecord): Buffer {
  const told = JSON.stringify([actor, JSON.parse(details)], (_, value) =>
    typeof value === "string" ? pseudonym(namesKey, value) : value,
  );
  const stored = JSON.stringify([Object.entries(columns), told]);
  return createHash("sha256").update(stored).digest().subarray(0, DIGEST_BYTES);
}
