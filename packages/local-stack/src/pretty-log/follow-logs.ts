import { open, readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { logLine } from "./log-line.ts";

const LOOK_EVERY_MS = 250;
/** Of one look at one file. What a burst leaves behind is shown by the next looks. */
const MOST_BYTES = 256 * 1024;

/** Prints what the services and the gateway log from now on, in short lines. The files keep the records as they are. */
export async function followLogs(folder: string, say: (line: string) => void, signal: AbortSignal): Promise<void> {
  const files = (await readdir(folder)).filter((file) => /^(?:gateway|.*-server-\d+)\.log$/.test(file));
  const logs = await Promise.all(
    files.map(async (file) => ({ path: join(folder, file), from: (await stat(join(folder, file))).size })),
  );
  const look = async (): Promise<void> => {
    for (const log of logs) log.from += await showNew(log, say).catch(() => 0); // a file that is gone has nothing new
    if (!signal.aborted) setTimeout(() => void look(), LOOK_EVERY_MS).unref();
  };
  await look();
}

/** Returns how many bytes were shown: those of whole lines. */
async function showNew(
  log: { readonly path: string; readonly from: number },
  say: (line: string) => void,
): Promise<number> {
  const { size } = await stat(log.path);
  if (size < log.from) return size - log.from;
  if (size === log.from) return 0;
  const file = await open(log.path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size - log.from, MOST_BYTES)), {
      position: log.from,
    });
    const end = buffer.subarray(0, bytesRead).lastIndexOf("\n") + 1;
    for (const json of buffer.toString("utf8", 0, end).split("\n")) {
      const line = logLine(basename(log.path, ".log"), json);
      if (line !== null) say(line);
    }
    return end;
  } finally {
    await file.close();
  }
}
