import { beforeEach, describe, expect, test } from "vitest";
import { activateKey, announceKey, retireKey } from "./life-cycle.ts";
import { generateKey, JWKS_MAX_AGE_SECONDS, KEYS_SPREAD_SECONDS, type SigningKey } from "./signing-key.ts";

const START = new Date("2026-11-21T00:00:00Z");
const after = (seconds: number) => new Date(START.getTime() + seconds * 1000);
/** When nobody was asked: until every authorization server has read the file, and every cached JWKS has ended. */
const KNOWN_BY_ALL = KEYS_SPREAD_SECONDS + JWKS_MAX_AGE_SECONDS;
const statuses = (keys: readonly SigningKey[]) => keys.map((key) => key.status);

let keys: SigningKey[];
let old: string;
let next: string;

beforeEach(async () => {
  const first = await generateKey("EdDSA", START);
  const second = await generateKey("ES256", START);
  keys = [{ ...first, status: "active", announcedAt: START, activatedAt: START }, second];
  [old, next] = [first.kid, second.kid];
});

describe("a rotation", () => {
  test("goes generated, announced, active, and the former key is retiring, then gone", () => {
    keys = announceKey(keys, next, START);
    expect(statuses(keys)).toEqual(["active", "announced"]);
    keys = activateKey(keys, next, after(KNOWN_BY_ALL));
    expect(statuses(keys)).toEqual(["retiring", "active"]);
    keys = retireKey(keys, old, after(KNOWN_BY_ALL + KEYS_SPREAD_SECONDS + 960));
    expect(keys.map((key) => key.kid)).toEqual([next]);
  });

  test("a key is not activated before every cached JWKS without it is too old", () => {
    keys = announceKey(keys, next, START);
    expect(() => activateKey(keys, next, after(KNOWN_BY_ALL - 1))).toThrow(
      expect.objectContaining({ code: "TOO_EARLY", message: expect.stringMatching(/wait 1 s more$/) }),
    );
    expect(() => activateKey(keys, next, START)).toThrow(`wait ${KNOWN_BY_ALL} s more`);
  });

  test("a key that signed is not removed before its last token has expired, skew included", () => {
    keys = activateKey(announceKey(keys, next, START), next, after(420));
    expect(() => retireKey(keys, old, after(420 + 120 + 959))).toThrow(
      expect.objectContaining({ code: "TOO_EARLY", message: expect.stringMatching(/wait 1 s more$/) }),
    );
    expect(() => retireKey(keys, old, after(420 + 220), { accessTokenTtlSeconds: 60 })).toThrow("wait 20 s more");
    expect(retireKey(keys, old, after(420 + 240), { accessTokenTtlSeconds: 60 })).toHaveLength(1);
  });

  test("force skips the waits", () => {
    keys = activateKey(announceKey(keys, next, START), next, START, { force: true });
    expect(retireKey(keys, old, START, { force: true })).toHaveLength(1);
  });

  test("is undone by activating the retiring key again, at once", () => {
    keys = activateKey(announceKey(keys, next, START), next, after(420));
    keys = activateKey(keys, old, after(421));
    expect(statuses(keys)).toEqual(["active", "retiring"]);
    expect(() => retireKey(keys, next, after(422))).toThrow("wait 1079 s more");
  });
});

describe("an order that would refuse valid tokens is refused, forced or not", () => {
  const wrongStatus = expect.objectContaining({ code: "WRONG_STATUS" });

  test("activating a key that was never announced", () => {
    expect(() => activateKey(keys, next, after(9999), { force: true })).toThrow(wrongStatus);
  });

  test("activating or announcing the active key", () => {
    expect(() => activateKey(keys, old, after(9999))).toThrow(wrongStatus);
    expect(() => announceKey(keys, old, after(9999))).toThrow(wrongStatus);
  });

  test("retiring the active key", () => {
    expect(() => retireKey(keys, old, after(9999), { force: true })).toThrow(wrongStatus);
  });
});

test("a key that never signed is removed at once", () => {
  expect(retireKey(keys, next, START)).toHaveLength(1);
  expect(retireKey(announceKey(keys, next, START), next, START)).toHaveLength(1);
});

test.each([announceKey, activateKey, retireKey])("an unknown kid is refused", (step) => {
  expect(() => step(keys, "nope", START)).toThrow(expect.objectContaining({ code: "UNKNOWN_KEY" }));
});
