import { generateKeyPairSync, randomBytes, sign, verify } from "node:crypto";
import { expect, test } from "vitest";
import { signer } from "./signer.ts";

test("with Ed25519 signatures are the ones that node:crypto makes [signatures.ed25519]", () => {
  for (let length = 0; length < 1000; length += 37) {
    const { privateKey } = generateKeyPairSync("ed25519");
    const input = randomBytes(length);
    expect(signer("EdDSA", privateKey)(input)).toEqual(sign(null, input, privateKey));
  }
});

test("with ES256 they are 64 bytes that verify [signatures.ed25519]", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const input = randomBytes(300);
  const signature = signer("ES256", privateKey)(input);
  expect(signature).toHaveLength(64);
  expect(verify("sha256", input, { key: publicKey, dsaEncoding: "ieee-p1363" }, signature)).toBe(true);
});
