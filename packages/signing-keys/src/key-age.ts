import type { SigningKey } from "./signing-key.ts";

/** A key that has signed for longer should be rotated. */
const OLD_KEY_DAYS = 90;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Since when there is this key material, in milliseconds; never below 0, whatever the clocks say. */
export function keyAge({ createdAt }: Pick<SigningKey, "createdAt">, now: Date): number {
  return Math.max(0, now.getTime() - createdAt.getTime());
}

export function isOldKey(key: Pick<SigningKey, "createdAt">, now: Date): boolean {
  return keyAge(key, now) > OLD_KEY_DAYS * DAY_MS;
}
