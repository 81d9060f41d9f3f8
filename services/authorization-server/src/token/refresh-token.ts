import { newCredential } from "@partner-connect/directory";

/**
 * A refresh token names its shop after 256 random bits, so that one shop's row, and one shard, answers for it when Redis has forgotten it.
 */
export function newRefreshToken(shopId: string): string {
  return `${newCredential("pcr")}_${shopId}`;
}

/** The shop that the token names; null if it isn't one of ours. */
export function shopOfRefreshToken(token: string): string | null {
  return /^pcr_[A-Za-z0-9_-]{43}_(shop_[a-z0-9]{1,59})$/.exec(token)?.[1] ?? null;
}
