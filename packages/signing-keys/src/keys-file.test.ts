import { createPublicKey, type JsonWebKey, sign, verify } from "node:crypto";
import { chmod, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import { calculateJwkThumbprint, type JWK } from "jose";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import {
  activateKey,
  changeKeys,
  createSigningKeysFile,
  generateKey,
  loadKeys,
  readSigningKeys,
} from "./index.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  path = join(folder, "keys", "signing-keys.json");
});

const add = (alg: "EdDSA" | "ES256") =>
  changeKeys(path, async (keys) => [...keys, await generateKey(alg, new Date())]);

const privateParts = (text: string): string[] =>
  JSON.parse(text).keys.map(({ d }: { d: string }) => d);

test("a missing signing keys file is created with mode 0600 and one active Ed25519 key", async () => {
  await createSigningKeysFile(path);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const { active, published } = await readSigningKeys(path);
  const [jwk] = published;
  expect(published).toEqual([
    {
      kty: "OKP",
      crv: "Ed25519",
      x: expect.any(String),
      kid: active.kid,
      alg: "EdDSA",
      use: "sig",
    },
  ]);
  expect(active).toMatchObject({ alg: "EdDSA", kid: await calculateJwkThumbprint(jwk as JWK) });
  const signature = sign(null, Buffer.from("message"), active.privateKey);
  const key = createPublicKey({ key: jwk as JsonWebKey, format: "jwk" });
  expect(verify(null, Buffer.from("message"), key, signature)).toBe(true);

  const before = await readFile(path, "utf8");
  await createSigningKeysFile(path);
  expect(await readFile(path, "utf8")).toBe(before);
});

test("concurrent creations of the signing keys file leave one file with one key, and no temporary file", async () => {
  await Promise.all(Array.from({ length: 20 }, () => createSigningKeysFile(path)));
  expect(await loadKeys(path)).toHaveLength(1);
  expect(await readdir(join(folder, "keys"))).toEqual(["signing-keys.json"]);
});

test("announced, active and retiring keys are published without their private parts", async () => {
  await createSigningKeysFile(path);
  await add("ES256");
  const kids = (await readSigningKeys(path)).published.map((jwk) => jwk.kid);
  expect(kids).toEqual((await loadKeys(path)).map((key) => key.kid));
  await changeKeys(path, (keys) => activateKey(keys, kids[1] ?? "", new Date()));
  const { active, published } = await readSigningKeys(path);
  expect(active).toMatchObject({ kid: kids[1], alg: "ES256" });
  expect(published.map((jwk) => jwk.kid)).toEqual(kids);
  for (const d of privateParts(await readFile(path, "utf8")))
    expect(JSON.stringify(published)).not.toContain(d);
  expect(JSON.stringify(published)).not.toMatch(/"d"|status/);
});

test("a change that alters no key, or that fails, leaves the signing keys file unchanged and usable", async () => {
  await createSigningKeysFile(path);
  await add("ES256");
  const before = await readFile(path, "utf8");
  await changeKeys(path, (keys) => keys);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const failing = changeKeys(path, (keys) => activateKey(keys, "nope", new Date()));
  await expect(failing).rejects.toMatchObject({ code: "UNKNOWN_KEY" });
  expect(await readFile(path, "utf8")).toBe(before);
  await add("EdDSA");
  expect(await readdir(join(folder, "keys"))).toEqual([
    "signing-keys.json",
    "signing-keys.json.lock",
  ]);
});

test("while a change of the signing keys file is in progress, a second change is refused", async () => {
  await createSigningKeysFile(path);
  await changeKeys(path, async (keys) => {
    await expect(changeKeys(path, (same) => same)).rejects.toMatchObject({
      code: "SIGNING_KEYS_LOCKED",
    });
    return keys;
  });
});

test("a change through a symbolic link changes the signing keys file that the link points to", async () => {
  await createSigningKeysFile(path);
  const alias = join(folder, "alias.json");
  await symlink(path, alias);
  await changeKeys(alias, async (keys) => [...keys, await generateKey("EdDSA", new Date())]);
  expect(await loadKeys(path)).toHaveLength(2);
});

test.runIf(process.getuid?.() === 0)(
  "a change of the signing keys file is refused if its folder is read-only, as in a mounted Secret",
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

test("if the signing keys file is missing, the error recommends its backup or, for a new installation, keys generate", async () => {
  await expect(readSigningKeys(path)).rejects.toMatchObject({
    code: "SIGNING_KEYS_MISSING",
    message: expect.stringMatching(
      /restore it from its backup; only for a new installation: .*keys generate/,
    ),
  });
});

const withFields = (fields: object) => (key: object) => ({ keys: [{ ...key, ...fields }] });

test.each<[what: string, edit: (key: Record<string, unknown>) => unknown, code?: string]>([
  ["no active key", () => ({ keys: [] }), "NO_ACTIVE_KEY"],
  [
    "two active keys",
    (key) => ({ keys: [key, { ...key, kid: "another" }] }),
    "SEVERAL_ACTIVE_KEYS",
  ],
  ["truncated JSON", (key) => `{"keys": [${JSON.stringify(key)}`],
  ["no array keys", () => ({})],
  ["an array in place of the object", (key) => [key]],
  ["null in place of the object", () => null],
  ["a string in place of a key", () => ({ keys: ["k"] })],
  ["a key without kid", withFields({ kid: undefined })],
  ["an unsupported algorithm", withFields({ alg: "RS256" })],
  ["an algorithm that doesn't fit the key", withFields({ alg: "ES256" })],
  ["a key of unknown status", withFields({ status: "new" })],
  ["a key without its private part", withFields({ d: undefined })],
  ["a private key that is too short", withFields({ d: "AA" })],
  ["a key without created_at", withFields({ created_at: null })],
  ["a timestamp that is a word", withFields({ activated_at: "yesterday" })],
  ["a timestamp that is a number", withFields({ activated_at: 5 })],
  ["two keys of the same kid", (key) => ({ keys: [key, key] })],
])(
  "a signing keys file with %s is refused, and the error doesn't contain the private key",
  async (_, edit, code = "SIGNING_KEYS_MALFORMED") => {
    await createSigningKeysFile(path);
    const [key] = JSON.parse(await readFile(path, "utf8")).keys;
    const edited = edit(key);
    await writeFile(path, typeof edited === "string" ? edited : JSON.stringify(edited));
    const refusal = await readSigningKeys(path).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code });
    expect(String(refusal)).not.toContain(key.d);
  },
);
