import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { announceKey, changeKeys, createSigningKeysFile, generateKey } from "./index.ts";
import { type WatchedKeys, watchSigningKeys } from "./watch-signing-keys.ts";

let folder: string;
let path: string;
let watched: WatchedKeys;
let heard: string[];

beforeEach(async () => {
  folder = temporaryFolder(onTestFinished);
  path = join(folder, "signing-keys.json");
  await createSigningKeysFile(path);
  heard = [];
});
afterEach(() => watched.stop());

const watchIt = async (file = path) => {
  watched = await watchSigningKeys(file, {
    onChange: () => heard.push("changed"),
    onProblem: ({ message }) => heard.push(message),
    onRecovery: () => heard.push("recovered"),
  });
};
const announceAnother = (file = path) =>
  changeKeys(file, async (keys) => announceKey(keys, await generateKey("EdDSA", new Date())));
const published = () => watched.current.published.length;
/** Replaces the file atomically, because a reader could find it half written. */
async function replaceBy(text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

test("when the keys file is replaced, a process publishes the new keys and reports the change once", async () => {
  await watchIt();
  await announceAnother();
  await expect.poll(published).toBe(2);
  await watched.readNow();
  expect(heard).toEqual(["changed"]);
});

test("when the symbolic link of a mounted Secret is replaced, a process publishes the keys of the new folder", async () => {
  const secret = join(folder, "mounted");
  await mkdir(join(secret, "..first"), { recursive: true });
  await rename(path, join(secret, "..first", "signing-keys.json"));
  await symlink("..first", join(secret, "..data"));
  await symlink("..data/signing-keys.json", join(secret, "signing-keys.json"));
  await watchIt(join(secret, "signing-keys.json"));

  await cp(join(secret, "..first"), join(secret, "..second"), { recursive: true });
  await announceAnother(join(secret, "..second", "signing-keys.json"));
  await symlink("..second", join(secret, "..next"));
  expect(published()).toBe(1);
  await rename(join(secret, "..next"), join(secret, "..data"));
  await expect.poll(published).toBe(2);
});

test("while the keys file is unusable, the last good keys stay in use, and the problem is reported once", async () => {
  await watchIt();
  const before = watched.current;
  const whole = await readFile(path, "utf8");
  await replaceBy(whole.slice(0, -20));
  await watched.readNow();
  await watched.readNow();
  expect(heard).toEqual([expect.stringMatching(/malformed: it is not JSON$/)]);
  expect([watched.problem?.message, watched.current]).toEqual([heard[0], before]);

  await rm(path);
  await watched.readNow();
  expect(heard.slice(1)).toEqual([expect.stringMatching(/there is no signing keys file/)]);
  expect(watched.current).toBe(before);

  await replaceBy(whole);
  await watched.readNow();
  expect([heard.slice(2), watched.problem, watched.current]).toEqual([["recovered"], null, before]);
});

test("watching a keys file fails with SIGNING_KEYS_MALFORMED if the file is malformed from the start", async () => {
  await watchIt();
  await writeFile(path, "{");
  await expect(watchIt()).rejects.toMatchObject({ code: "SIGNING_KEYS_MALFORMED" });
});
