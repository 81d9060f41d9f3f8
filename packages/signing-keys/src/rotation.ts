import type { SigningAlgorithm } from "@partner-connect/contract";
import { type SigningKey, SigningKeysError } from "./signing-key.ts";

/*
 * A whole rotation, as the next step that the keys say. The file is all that it knows, so it can be cut off after any step and goes on.
 */

export type RotationStep =
  | { readonly step: "generate" }
  | { readonly step: "announce" | "activate" | "retire"; readonly key: SigningKey }
  | { readonly step: "done" };

/**
 * The key that an unfinished rotation is about; null where none is under way.
 * @throws {SigningKeysError} WRONG_STATUS, if that key is of another algorithm than `alg`
 */
export function rotationUnderWay(keys: readonly SigningKey[], alg?: SigningAlgorithm): SigningKey | null {
  const [next] = [...withStatus(keys, "announced"), ...withStatus(keys, "generated")];
  if (next && alg !== undefined && next.alg !== alg) {
    throw new SigningKeysError(
      "WRONG_STATUS",
      `key ${next.kid} (${next.alg}) is ${next.status}: rotate to it, without --alg, or remove it by 'partner-connect keys retire ${next.kid}'`,
    );
  }
  if (next) return next;
  return withStatus(keys, "retiring").length > 0 ? (withStatus(keys, "active")[0] ?? null) : null;
}

/**
 * What comes next on the way to `target`; null: to a key that isn't there yet.
 * @throws {SigningKeysError} UNKNOWN_KEY or WRONG_STATUS, if another change removed or retired `target` meanwhile
 */
export function nextRotationStep(keys: readonly SigningKey[], target: string | null): RotationStep {
  if (target === null) return { step: "generate" };
  const key = keys.find(({ kid }) => kid === target);
  if (!key)
    throw new SigningKeysError("UNKNOWN_KEY", `key ${target} is gone: another change of the keys was made meanwhile`);
  if (key.status === "generated") return { step: "announce", key };
  if (key.status === "announced") return { step: "activate", key };
  if (key.status === "retiring") {
    throw new SigningKeysError("WRONG_STATUS", `key ${target} is retiring: another key was activated meanwhile`);
  }
  const [former] = withStatus(keys, "retiring");
  return former ? { step: "retire", key: former } : { step: "done" };
}

/** Newest first. */
function withStatus(keys: readonly SigningKey[], status: SigningKey["status"]): SigningKey[] {
  return keys
    .filter((key) => key.status === status)
    .toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
}
