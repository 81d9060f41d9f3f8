import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { createLogger } from "@partner-connect/service-runtime";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import {
  activateKey,
  announceKey,
  changeKeys,
  createSigningKeysFile,
  generateKey,
} from "@partner-connect/signing-keys";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { type LiveSigningKeys, liveSigningKeys } from "./live-signing-keys.ts";

let file: string;
let live: LiveSigningKeys;
let output: PassThrough;

beforeEach(async () => {
  file = join(temporaryFolder(onTestFinished), "signing-keys.json");
  await createSigningKeysFile(file);
  output = new PassThrough();
  const logger = createLogger("test", "info", output);
  vi.useFakeTimers({ toFake: ["setInterval"] });
  live = await liveSigningKeys({ signingKeysFile: file }, logger);
});
afterEach(() => live.stop());

const logged = (): { level: number; msg: string }[] =>
  String(output.read() ?? "")
    .split("\n")
    .flatMap((line) => (line ? [JSON.parse(line)] : []));
const readAgain = () => void vi.advanceTimersToNextTimer();
const kids = () => live.current.published.map(({ kid }) => kid);

test("a change of the signing keys file is applied to the signer, the JWKS and the report at /keys", async () => {
  const former = live.current.active.kid;
  const key = await generateKey("ES256", new Date());
  const { kid } = key;
  await changeKeys(file, (keys) => announceKey(keys, key));
  readAgain();
  await expect.poll(kids).toEqual([former, kid]);
  expect(live.current.active.kid).toBe(former);
  await changeKeys(file, (keys) => activateKey(keys, kid, new Date()));
  readAgain();
  await expect.poll(() => live.current.active.kid).toBe(kid);
  expect(live.current.active.signer.alg).toBe("ES256");
  expect(live.report()).toEqual({ published: [former, kid], active: kid, keys_file_problem: null });
  expect(logged().map(({ msg }) => msg)).toEqual([
    "signing access tokens",
    "signing keys changed",
    "signing keys changed",
  ]);
});

test("while the keys file is broken, the last good keys stay in use, and the log and /keys show why", async () => {
  const [stored] = JSON.parse(await readFile(file, "utf8")).keys;
  logged();
  // Replaced atomically: the empty file at the start of a write would be another problem.
  await writeFile(`${file}.new`, JSON.stringify({ keys: [{ ...stored, status: "announced" }] }));
  await rename(`${file}.new`, file);
  readAgain();
  await expect.poll(() => live.report().keys_file_problem).toMatch(/has no active key/);
  const records = logged();
  expect(records.map(({ level, msg }) => [level, msg])).toEqual([
    [50, "the signing keys file can't be used; the last good keys stay in use"],
  ]);
  expect(JSON.stringify([records, live.report()])).not.toContain(stored.d);
  expect(live.current.active.kid).toBe(stored.kid);
});
