import { type SigningKey, SigningKeysError } from "./signing-key.ts";

/*
 * The steps of a rotation; each returns the changed keys. A key is announced (published, so that
 * every verifier fetches it before it signs), then active, then retiring (published until its last
 * access token has expired), then removed. The caller waits between the steps.
 */

/** Adds a new key, which is then published. @throws {SigningKeysError} WRONG_STATUS */
export function announceKey(keys: readonly SigningKey[], key: SigningKey): SigningKey[] {
  const other = keys.find(({ status }) => status !== "active");
  if (other)
    throw statusError(other, "a rotation is unfinished; run the same command again to continue it");
  return [...keys, key];
}

/**
 * Makes an announced key active, and the former active one retiring. @throws {SigningKeysError}
 * UNKNOWN_KEY, WRONG_STATUS
 */
export function activateKey(keys: readonly SigningKey[], kid: string, now: Date): SigningKey[] {
  const key = findKey(keys, kid);
  if (key.status !== "announced") throw statusError(key, "only an announced key can be activated");
  return replaceActiveKey(keys, kid, now);
}

export function removeRetiringKey(keys: readonly SigningKey[], kid: string): SigningKey[] {
  const key = findKey(keys, kid);
  if (key.status !== "retiring") throw statusError(key, "only a retiring key can be removed");
  return keys.filter((other) => other.kid !== kid);
}

/**
 * Removes a leaked key, whose tokens then become invalid. If it is active, the announced key or else
 * `replacement` becomes active.
 */
export function retireLeakedKey(
  keys: readonly SigningKey[],
  kid: string,
  { replacement, now }: { readonly replacement: SigningKey; readonly now: Date },
): SigningKey[] {
  const { status } = findKey(keys, kid);
  const others = keys.filter((other) => other.kid !== kid);
  if (status !== "active") return others;
  const announced = others.find((other) => other.status === "announced");
  return announced
    ? replaceActiveKey(others, announced.kid, now)
    : replaceActiveKey([...others, replacement], replacement.kid, now);
}

function replaceActiveKey(keys: readonly SigningKey[], kid: string, now: Date): SigningKey[] {
  return keys.map((key) => {
    if (key.kid === kid) return { ...key, status: "active", activatedAt: now };
    return key.status === "active" ? { ...key, status: "retiring", retiringAt: now } : key;
  });
}

function findKey(keys: readonly SigningKey[], kid: string): SigningKey {
  const key = keys.find((candidate) => candidate.kid === kid);
  if (key) return key;
  const problem = `there is no key ${kid}; 'partner-connect keys list' shows the keys`;
  throw new SigningKeysError("UNKNOWN_KEY", problem);
}

function statusError(key: SigningKey, rule: string): SigningKeysError {
  return new SigningKeysError("WRONG_STATUS", `key ${key.kid} is ${key.status}: ${rule}`);
}
