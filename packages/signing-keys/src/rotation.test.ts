import { beforeEach, expect, test } from "vitest";
import { activateKey, announceKey, removeRetiringKey, retireLeakedKey } from "./rotation.ts";
import { generateKey, isOldKey, keyAge, type SigningKey } from "./signing-key.ts";

const NOW = new Date("2026-11-21T00:00:00Z");
const states = (keys: readonly SigningKey[]) => keys.map(({ kid, status }) => [kid, status]);
const wrongStatus = expect.objectContaining({ code: "WRONG_STATUS" });
const unknownKey = expect.objectContaining({ code: "UNKNOWN_KEY" });

let keys: SigningKey[];
let next: SigningKey;
let old: string;

beforeEach(async () => {
  const first = await generateKey("EdDSA", NOW);
  next = await generateKey("ES256", NOW);
  keys = [{ ...first, status: "active", activatedAt: NOW }];
  old = first.kid;
});

test("a key rotation announces a new key, activates it, and removes the former key", () => {
  keys = announceKey(keys, next);
  expect(states(keys)).toEqual([
    [old, "active"],
    [next.kid, "announced"],
  ]);
  keys = activateKey(keys, next.kid, NOW);
  expect(states(keys)).toEqual([
    [old, "retiring"],
    [next.kid, "active"],
  ]);
  expect(keys).toMatchObject([{ retiringAt: NOW }, { activatedAt: NOW }]);
  expect(states(removeRetiringKey(keys, old))).toEqual([[next.kid, "active"]]);
});

test("a key rotation refuses steps in the wrong order", async () => {
  const third = await generateKey("EdDSA", NOW);
  expect(() => activateKey(keys, old, NOW)).toThrow(wrongStatus);
  expect(() => activateKey(keys, next.kid, NOW)).toThrow(unknownKey);
  keys = announceKey(keys, next);
  expect(() => announceKey(keys, third)).toThrow(wrongStatus);
  for (const { kid } of keys) expect(() => removeRetiringKey(keys, kid)).toThrow(wrongStatus);
  keys = activateKey(keys, next.kid, NOW);
  expect(() => announceKey(keys, third)).toThrow(wrongStatus);
});

test("a leaked key is removed immediately and, if it was active, replaced by the announced or a new key", async () => {
  const unused = await generateKey("EdDSA", NOW);
  const leaked = (kid: string, replacement: SigningKey) =>
    states(retireLeakedKey(keys, kid, { replacement, now: NOW }));
  expect(() => leaked("nope", next)).toThrow(unknownKey);
  expect(leaked(old, next)).toEqual([[next.kid, "active"]]);
  keys = announceKey(keys, next);
  expect(leaked(old, unused)).toEqual([[next.kid, "active"]]); // verifiers know the announced one
  expect(leaked(next.kid, unused)).toEqual([[old, "active"]]);
  keys = activateKey(keys, next.kid, NOW);
  expect(leaked(old, unused)).toEqual([[next.kid, "active"]]);
  expect(leaked(next.kid, unused)).toEqual([
    [old, "retiring"],
    [unused.kid, "active"],
  ]);
});

const DAY = 24 * 3600 * 1000;
const after = (days: number) => new Date(NOW.getTime() + days * DAY);

test("a key is old after 90 days", () => {
  const isOld = [90, 90.01].map((days) => isOldKey({ createdAt: NOW }, after(days)));
  expect(isOld).toEqual([false, true]);
});

test("a key's age is never negative", () => {
  expect([2, -1].map((days) => keyAge({ createdAt: NOW }, after(days)))).toEqual([2 * DAY, 0]);
});
