import { createPublicKey, sign, verify } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { calculateJwkThumbprint } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  activateKey,
  changeKeys,
  createSigningKeysFile,
  generateKey,
  loadKeys,
  readSigningKeys,
  type SigningKey,
} from "./index.ts";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "signing-keys-"));
  path = join(folder, "keys", "signing-keys.json");
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

const add = (alg: "EdDSA" | "ES256", changes: Partial<SigningKey> = {}) =>
  changeKeys(path, async (keys) => [...keys, { ...(await generateKey(alg, new Date())), ...changes }]);

describe("the signing keys file", () => {
  test("is made with one active Ed25519 key, readable by its owner only", async () => {
    await createSigningKeysFile(path);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const { active, published } = await readSigningKeys(path);
    expect(active.alg).toBe("EdDSA");
    expect(published).toEqual([
      { kty: "OKP", crv: "Ed25519", x: expect.any(String), kid: active.kid, alg: "EdDSA", use: "sig" },
    ]);
    expect(active.kid).toBe(await calculateJwkThumbprint(active.privateJwk));
  });

  test("is left as it is when it exists", async () => {
    await createSigningKeysFile(path);
    const before = await readFile(path, "utf8");
    await createSigningKeysFile(path);
    expect(await readFile(path, "utf8")).toBe(before);
  });

  test("made by many at once has one key, and nothing lies beside it", async () => {
    await Promise.all(Array.from({ length: 20 }, () => createSigningKeysFile(path)));
    expect(await loadKeys(path)).toHaveLength(1);
    expect(await readdir(join(folder, "keys"))).toEqual(["signing-keys.json"]);
  });

  test("publishes announced, active and retiring keys, and never a private part", async () => {
    await createSigningKeysFile(path);
    await add("ES256");
    const kids = (await readSigningKeys(path)).published.map((jwk) => jwk.kid);
    expect(kids).toEqual((await loadKeys(path)).map((key) => key.kid));
    await changeKeys(path, (keys) => activateKey(keys, kids[1] ?? "", new Date()));
    const { active, published } = await readSigningKeys(path);
    expect(active).toMatchObject({ kid: kids[1], alg: "ES256" });
    expect(published.map((jwk) => jwk.kid)).toEqual(kids);
    expect(JSON.stringify(published)).not.toContain('"d"');
    expect(JSON.stringify(published)).not.toContain("status");
  });

  test("what the active key signs, its published key verifies", async () => {
    await createSigningKeysFile(path);
    const { active, published } = await readSigningKeys(path);
    const signature = sign(null, Buffer.from("message"), active.privateKey);
    const jwk = published.find(({ kid }) => kid === active.kid) as import("node:crypto").JsonWebKey;
    expect(verify(null, Buffer.from("message"), createPublicKey({ key: jwk, format: "jwk" }), signature)).toBe(true);
  });

  test("keeps every field over a change", async () => {
    await createSigningKeysFile(path);
    const before = await loadKeys(path);
    expect(await changeKeys(path, (keys) => keys)).toEqual(before);
    expect(await loadKeys(path)).toEqual(before);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test("is unchanged when a change fails, and open to the next", async () => {
    await createSigningKeysFile(path);
    const before = await readFile(path, "utf8");
    await expect(changeKeys(path, (keys) => activateKey(keys, "nope", new Date()))).rejects.toMatchObject({
      code: "UNKNOWN_KEY",
    });
    expect(await readFile(path, "utf8")).toBe(before);
    await add("EdDSA");
    expect(await readdir(join(folder, "keys"))).toEqual(["signing-keys.json", "signing-keys.json.lock"]);
  });

  test("refuses a second change while one is under way", async () => {
    await createSigningKeysFile(path);
    const second = changeKeys(path, async (keys) => {
      await expect(changeKeys(path, (same) => same)).rejects.toMatchObject({
        code: "SIGNING_KEYS_LOCKED",
      });
      return keys;
    });
    await second;
  });

  test("is changed behind a symbolic link", async () => {
    await createSigningKeysFile(path);
    const alias = join(folder, "alias.json");
    await symlink(path, alias);
    await changeKeys(alias, async (keys) => [...keys, await generateKey("EdDSA", new Date())]);
    expect(await loadKeys(path)).toHaveLength(2);
  });
});

test.runIf(process.getuid?.() === 0)(
  "a file in a folder that can't be written, as a mounted Secret's, is refused",
  async () => {
    await createSigningKeysFile(path);
    await chmod(path, 0o644);
    for (const each of [folder, dirname(path)]) await chmod(each, 0o755);
    process.seteuid?.(65_534);
    try {
      await expect(changeKeys(path, (keys) => keys)).rejects.toMatchObject({
        code: "SIGNING_KEYS_READ_ONLY",
        message: expect.stringContaining("SIGNING_KEYS_FILE"),
      });
    } finally {
      process.seteuid?.(0);
    }
  },
);

describe("reading refuses", () => {
  test("a missing file, and says to put it back before a new one is made", async () => {
    await expect(readSigningKeys(path)).rejects.toMatchObject({
      code: "SIGNING_KEYS_MISSING",
      message: expect.stringMatching(/put it back from its backup; only for a new installation: .*keys generate/),
    });
  });

  test("no active key", async () => {
    await createSigningKeysFile(path);
    await changeKeys(path, () => []);
    await expect(readSigningKeys(path)).rejects.toMatchObject({ code: "NO_ACTIVE_KEY" });
  });

  test("two active keys", async () => {
    await createSigningKeysFile(path);
    await add("EdDSA", { status: "active" });
    await expect(readSigningKeys(path)).rejects.toMatchObject({ code: "SEVERAL_ACTIVE_KEYS" });
  });

  test.each<[string, (key: Record<string, unknown>) => unknown]>([
    ["no keys array", () => ({})],
    ["a list in place of the object", (key) => [key]],
    ["null", () => null],
    ["a key that is no object", () => ({ keys: ["k"] })],
    ["a key without kid", (key) => ({ keys: [{ ...key, kid: undefined }] })],
    ["the same kid twice", (key) => ({ keys: [key, key] })],
    ["another algorithm", (key) => ({ keys: [{ ...key, alg: "RS256" }] })],
    ["an algorithm that is not the key's", (key) => ({ keys: [{ ...key, alg: "ES256" }] })],
    ["an unknown status", (key) => ({ keys: [{ ...key, status: "new" }] })],
    ["a public key", (key) => ({ keys: [{ ...key, d: undefined }] })],
    ["a private key that is none", (key) => ({ keys: [{ ...key, d: "AA" }] })],
    ["no created_at", (key) => ({ keys: [{ ...key, created_at: null }] })],
    ["a timestamp that is none", (key) => ({ keys: [{ ...key, activated_at: "yesterday" }] })],
    ["a timestamp that is a number", (key) => ({ keys: [{ ...key, activated_at: 5 }] })],
  ])("%s", async (_, edit) => {
    await createSigningKeysFile(path);
    const [key] = JSON.parse(await readFile(path, "utf8")).keys;
    await writeFile(path, JSON.stringify(edit(key)));
    const refusal = await readSigningKeys(path).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "SIGNING_KEYS_MALFORMED" });
    expect(String(refusal)).not.toContain(key.d);
  });

  test("a cut-off file, without quoting it", async () => {
    await createSigningKeysFile(path);
    const text = await readFile(path, "utf8");
    const { d } = JSON.parse(text).keys[0];
    await writeFile(path, text.slice(0, -10));
    const refusal = await readSigningKeys(path).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "SIGNING_KEYS_MALFORMED", message: expect.stringMatching(/not JSON$/) });
    expect(String(refusal)).not.toContain(d);
  });
});
