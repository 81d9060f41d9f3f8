import { watch } from "node:fs";
import { dirname } from "node:path";
import { readKeysFile } from "./keys-file.ts";
import { parseSigningKeys, type SigningKeys } from "./read-signing-keys.ts";

/** A watch can be lost, and some file systems have none. So the file is read this often in any case. */
const KEYS_FILE_POLL_SECONDS = 2;

export interface WatchOptions<Prepared> {
  /** Makes of the keys what is used. What is in use changes when it is done, all at once. */
  readonly prepare: (keys: SigningKeys) => Promise<Prepared>;
  /** The file has other keys than before, and they are in use now. */
  readonly onChange?: (prepared: Prepared) => void;
  /** The file can't be used, and the last good keys stay in use. Told once for each problem; its message holds no key. */
  readonly onProblem?: (problem: Error) => void;
  readonly onRecovery?: () => void;
}

export type WatchedKeys<Prepared> = Awaited<ReturnType<typeof watchSigningKeys<Prepared>>>;

/** Reads the keys file, and again when it changes; of a mounted Secret its folder. @throws {SigningKeysError} if it can't be used */
export async function watchSigningKeys<Prepared>(path: string, options: WatchOptions<Prepared>) {
  const { prepare, onChange, onProblem, onRecovery } = options;
  let text = await readKeysFile(path);
  let current = await prepare(parseSigningKeys(text, path));
  let readAt = new Date();
  let problem: Error | null = null;

  const read = async (): Promise<void> => {
    try {
      const now = await readKeysFile(path);
      if (now !== text) {
        current = await prepare(parseSigningKeys(now, path));
        text = now;
        onChange?.(current);
      }
      readAt = new Date();
      if (problem) onRecovery?.();
      problem = null;
    } catch (error) {
      const told = problem?.message;
      problem = error as Error;
      if (problem.message !== told) onProblem?.(problem);
    }
  };
  // One reading after the other, so that an older text never replaces a newer one.
  let reading = Promise.resolve();
  const look = (): Promise<void> => {
    reading = reading.then(read);
    return reading;
  };
  const timer = setInterval(look, KEYS_FILE_POLL_SECONDS * 1000).unref();
  const stopWatching = watchFolder(dirname(path), look);
  return {
    /** Of the last good reading of the file, which was at `readAt`. */
    get current(): Prepared {
      return current;
    },
    get readAt(): Date {
      return readAt;
    },
    get problem(): Error | null {
      return problem;
    },
    /** Reads it now, without waiting for the watch. */
    look,
    stop(): void {
      clearInterval(timer);
      stopWatching();
    },
  };
}

function watchFolder(folder: string, changed: () => unknown): () => void {
  try {
    const watcher = watch(folder, { persistent: false }, changed);
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {};
  }
}
