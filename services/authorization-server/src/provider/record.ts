import { hashCredential } from "@partner-connect/directory";
import type { Adapter } from "oidc-provider";

/** Where a record is. Its id may be a bearer credential. */
export function keyOf(model: string, id: string): string {
  return keyOfHash(model, hashCredential(id));
}

export function keyOfHash(model: string, hash: Buffer): string {
  return `oauth:${model}:${hash.toString("base64url")}`;
}

/** The library calls these for no model that we use in this way. */
export const NOT_USED: Adapter = {
  upsert: notUsed,
  find: notUsed,
  findByUid: notUsed,
  findByUserCode: notUsed,
  consume: notUsed,
  destroy: notUsed,
  revokeByGrantId: notUsed,
};

function notUsed(): Promise<never> {
  return Promise.reject(new Error("this model has no such operation"));
}
