import { readKeysFile } from "./keys-file.ts";
import { parseSigningKeys, type SigningKeys } from "./read-signing-keys.ts";

const POLL_MS = 2000;

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

/** Reads the keys file every two seconds, and tells when it has changed. @throws {SigningKeysError} if it can't be used at first */
export async function watchSigningKeys<Prepared>(path: string, options: WatchOptions<Prepared>) {
  const { prepare, onChange, onProblem, onRecovery } = options;
  let text = await readKeysFile(path);
  let current = await prepare(parseSigningKeys(text, path));
  let problem: Error | null = null;

  const read = async (): Promise<void> => {
    try {
      const now = await readKeysFile(path);
      if (now !== text) {
        current = await prepare(parseSigningKeys(now, path));
        text = now;
        onChange?.(current);
      }
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
  const timer = setInterval(look, POLL_MS).unref();
  return {
    /** Of the last good reading of the file. */
    get current(): Prepared {
      return current;
    },
    get problem(): Error | null {
      return problem;
    },
    /** Reads it now. */
    look,
    stop: () => clearInterval(timer),
  };
}
