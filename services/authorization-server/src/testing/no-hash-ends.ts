import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Threads that hash, as many as Node has for such work. */
const THREADS = Number(process.env["UV_THREADPOOL_SIZE"] ?? 4);

/** A test that fails must not keep its process from ending. */
const MOST_MS = 30_000;

/** Runs `work` while no hash ends: every thread waits for somebody to write to a pipe, until `release` is called or `work` is over. */
export async function whileNoHashEnds<T>(work: (release: () => void) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-pipe-"));
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const readers = Promise.all(Array.from({ length: THREADS }, () => open(pipe)));
  let writer: number | undefined;
  const release = () => {
    writer ??= openSync(pipe, constants.O_RDWR);
  };
  const limit = setTimeout(release, MOST_MS);
  try {
    return await work(release);
  } finally {
    clearTimeout(limit);
    release();
    for (const reader of await readers) await reader.close();
    if (writer !== undefined) closeSync(writer);
    await rm(folder, { recursive: true });
  }
}
