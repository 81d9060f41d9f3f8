import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { SqliteStore } from "./sqlite.ts";
import { type ConnectionStore, MemoryStore, type StoredConnection } from "./stores.ts";

let path: string;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "partner-connect-sqlite-"));
  path = join(folder, "connections.sqlite");
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

const connection = (id: string, refreshToken = "pcr_1"): StoredConnection => ({
  id,
  shop: { id: "shop_1", name: "Hats & 'Caps'", domain: null, plan: "standard" },
  scope: "responses:read",
  refreshToken,
  connectedAt: "2026-11-21T00:00:00.000Z",
});
const all = async (store: ConnectionStore) => await (store.list() as Promise<StoredConnection[]>);

test.each<[string, () => ConnectionStore & { close?(): void }]>([
  ["the memory store", () => new MemoryStore()],
  ["the SQLite store", () => new SqliteStore(path)],
])("%s stores, replaces, lists and deletes copies of connections", async (_, make) => {
  const store = make();
  expect(await store.get("con_1")).toBeNull();
  await store.put(connection("con_1"));
  await store.put(connection("con_2"));
  await store.put(connection("con_1", "pcr_2"));
  const got = await store.get("con_1");
  expect(got).toEqual(connection("con_1", "pcr_2"));
  Object.assign(got ?? {}, { refreshToken: "changed" });
  expect((await all(store)).map(({ id, refreshToken }) => [id, refreshToken])).toEqual([
    ["con_1", "pcr_2"],
    ["con_2", "pcr_1"],
  ]);
  await store.delete("con_1");
  await store.delete("con_1");
  expect((await all(store)).map(({ id }) => id)).toEqual(["con_2"]);
  store.close?.();
});

test("the SQLite store still has its connections after it is closed and reopened", async () => {
  const first = new SqliteStore(path);
  await first.put(connection("con_1"));
  first.close();
  const second = new SqliteStore(path);
  expect(await second.get("con_1")).toEqual(connection("con_1"));
  second.close();
});

const WRITER = `
  const { SqliteStore } = await import(process.argv[1]);
  const [, , path, name] = process.argv;
  const store = new SqliteStore(path);
  for (let i = 0; i < 60; i++) {
    const id = "con_" + (i % 20);
    await store.put({ id, refreshToken: name + i });
    if ((await store.get(id)) === null) throw new Error("lost " + id);
  }
  store.close();`;

test("four concurrent processes can write the same connections to an SQLite store", async () => {
  const module = fileURLToPath(new URL("./sqlite.ts", import.meta.url));
  const run = (name: string) =>
    new Promise<string>((resolve) => {
      const child = spawn(
        process.execPath,
        ["--input-type=module", "-e", WRITER, module, path, name],
        {
          stdio: "pipe",
        },
      );
      let output = "";
      child.stderr.on("data", (chunk) => (output += chunk));
      child.on("close", (code) => resolve(`${code} ${output}`));
    });
  expect(await Promise.all(["a", "b", "c", "d"].map(run))).toEqual(Array(4).fill("0 "));
  const store = new SqliteStore(path);
  const stored = await all(store);
  expect(stored.length).toBe(20);
  // Each is a complete record that one of the processes wrote in its last round.
  expect(stored.every(({ refreshToken }) => /^[abcd][45]\d$/.test(refreshToken))).toBe(true);
  store.close();
});
