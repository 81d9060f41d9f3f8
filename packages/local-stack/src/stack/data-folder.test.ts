import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StartFailure } from "../processes/start-failure.ts";
import { claimDataFolder } from "./data-folder.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "partner-connect-data-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test("a data folder is made with all that leads to it, and only its owner may list it", async () => {
  const dataDir = join(folder, "a", "b", "data");
  const { path, lock } = await claimDataFolder(dataDir);
  expect(path).toBe(dataDir);
  expect((await stat(path)).mode & 0o777).toBe(0o711);
  expect((await stat(join(path, "logs"))).mode & 0o777).toBe(0o700);
  await lock.release();
});

describe("a data folder that can't be used is told at once, in one line that names it and why", () => {
  const rows: [string, () => string, RegExp][] = [
    ["a file", () => join(folder, "file"), /EEXIST: /],
    ["below a file", () => join(folder, "file", "data"), /ENOTDIR: /],
  ];
  if (process.platform === "linux") {
    rows.push(
      ["where the system takes no folders", () => "/proc/x", /ENOENT: /],
      ["below such a place", () => "/proc/x/y", /ENOENT: /],
      ["a folder that can't be written to", () => "/proc/sys", /ENOENT: /],
    );
  }
  test.each(rows)("%s", async (_, dataDir, why) => {
    await writeFile(join(folder, "file"), "");
    const refusal = await claimDataFolder(dataDir()).catch((error: Error) => error);
    expect(refusal).toBeInstanceOf(StartFailure);
    const { message } = refusal as StartFailure;
    expect(message).toMatch(why);
    expect(message.startsWith(`DATA_DIR ${dataDir()} can't be used (`)).toBe(true);
    expect(message.endsWith("): set it to a folder that can be written")).toBe(true);
  });

  test("one whose lock is no file", async () => {
    await mkdir(join(folder, "local-stack.lock"));
    await expect(claimDataFolder(folder)).rejects.toThrow(`DATA_DIR ${folder} can't be used (EISDIR: `);
  });
});
