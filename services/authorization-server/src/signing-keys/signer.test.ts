import { generateKeyPairSync, randomBytes, verify } from "node:crypto";
import { expect, test } from "vitest";
import { createSigner } from "./live-signing-keys.ts";

test("with Ed25519 they are 64 bytes that verify, at every length of the input", () => {
  for (let length = 0; length < 1000; length += 37) {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const input = randomBytes(length);
    const signature = createSigner({ alg: "EdDSA", privateKey }).sign(input);
    expect(signature).toHaveLength(64);
    expect(verify(null, input, publicKey, signature)).toBe(true);
  }
});

test("with ES256 they are 64 bytes that verify", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const input = randomBytes(300);
  const signature = createSigner({ alg: "ES256", privateKey }).sign(input);
  expect(signature).toHaveLength(64);
  expect(verify("sha256", input, { key: publicKey, dsaEncoding: "ieee-p1363" }, signature)).toBe(true);
});
