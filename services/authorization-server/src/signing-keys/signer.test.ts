import { generateKeyPairSync, randomBytes, sign, verify } from "node:crypto";
import { expect, test } from "vitest";
import { createSigner } from "./signer.ts";

const withoutBinary = () => Promise.reject(new Error("No addon"));

test("with Ed25519, libsodium and node:crypto make the same signatures [signatures.ed25519]", async () => {
  for (let length = 0; length < 1000; length += 37) {
    const { privateKey } = generateKeyPairSync("ed25519");
    const input = randomBytes(length);
    const key = { alg: "EdDSA", privateKey } as const;
    const signers = [await createSigner(key), await createSigner(key, withoutBinary)];
    expect(signers.map(({ library }) => library)).toEqual(["libsodium", "node:crypto"]);
    for (const signer of signers) expect(signer.sign(input)).toEqual(sign(null, input, privateKey));
  }
});

test("with ES256 they are 64 bytes that verify [signatures.ed25519]", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const input = randomBytes(300);
  const signature = (await createSigner({ alg: "ES256", privateKey })).sign(input);
  expect(signature).toHaveLength(64);
  expect(verify("sha256", input, { key: publicKey, dsaEncoding: "ieee-p1363" }, signature)).toBe(true);
});
