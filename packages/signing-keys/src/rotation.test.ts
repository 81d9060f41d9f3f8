import { beforeEach, describe, expect, test } from "vitest";
import { activateKey, announceKey, removeRetiringKey, retireLeakedKey } from "./rotation.ts";
import { generateKey, isOldKey, keyAge, type SigningKey } from "./signing-key.ts";

const NOW = new Date("2026-11-21T00:00:00Z");
const states = (keys: readonly SigningKey[]) => keys.map(({ kid, status }) => [kid, status]);
const wrongStatus = expect.objectContaining({ code: "WRONG_STATUS" });

let keys: SigningKey[];
let next: SigningKey;
let old: string;

beforeEach(async () => {
  const first = await generateKey("EdDSA", NOW);
  next = await generateKey("ES256", NOW);
  keys = [{ ...first, status: "active", activatedAt: NOW }];
  old = first.kid;
});

describe("a rotation", () => {
  test("announces a key, activates it, and removes the former one", () => {
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

  test("is refused while another one is under way", async () => {
    const third = await generateKey("EdDSA", NOW);
    keys = announceKey(keys, next);
    expect(() => announceKey(keys, third)).toThrow(wrongStatus);
    keys = activateKey(keys, next.kid, NOW);
    expect(() => announceKey(keys, third)).toThrow(wrongStatus);
  });

  test("activates no key that was not announced", () => {
    expect(() => activateKey(keys, old, NOW)).toThrow(wrongStatus);
    expect(() => activateKey(keys, next.kid, NOW)).toThrow(expect.objectContaining({ code: "UNKNOWN_KEY" }));
  });

  test("removes no key that still signs or will sign", () => {
    keys = announceKey(keys, next);
    expect(() => removeRetiringKey(keys, old)).toThrow(wrongStatus);
    expect(() => removeRetiringKey(keys, next.kid)).toThrow(wrongStatus);
  });
});

describe("a leaked key", () => {
  const leaked = (kid: string, replacement: SigningKey) =>
    states(retireLeakedKey(keys, kid, { replacement, now: NOW }));

  test("that is active is replaced by a new one at once", () => {
    expect(leaked(old, next)).toEqual([[next.kid, "active"]]);
  });

  test("that is active is replaced by the announced one, which verifiers know already", async () => {
    keys = announceKey(keys, next);
    expect(leaked(old, await generateKey("EdDSA", NOW))).toEqual([[next.kid, "active"]]);
  });

  test("that does not sign is removed", async () => {
    const unused = await generateKey("EdDSA", NOW);
    keys = announceKey(keys, next);
    expect(leaked(next.kid, unused)).toEqual([[old, "active"]]);
    keys = activateKey(keys, next.kid, NOW);
    expect(leaked(old, unused)).toEqual([[next.kid, "active"]]);
  });

  test("that is not there is refused", () => {
    expect(() => leaked("nope", next)).toThrow(expect.objectContaining({ code: "UNKNOWN_KEY" }));
  });
});

test("a key is old after 90 days, and its age is never negative", () => {
  const day = 24 * 3600 * 1000;
  const after = (days: number) => new Date(NOW.getTime() + days * day);
  expect([isOldKey({ createdAt: NOW }, after(90)), isOldKey({ createdAt: NOW }, after(90.01))]).toEqual([false, true]);
  expect([keyAge({ createdAt: NOW }, after(2)), keyAge({ createdAt: NOW }, after(-1))]).toEqual([2 * day, 0]);
});
