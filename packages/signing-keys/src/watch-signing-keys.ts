import { readKeysFile } from "./keys-file.ts";
import { parseSigningKeys, type SigningKeys } from "./parse-keys.ts";

/** Milliseconds between two reads of the file. */
const POLL_MS = 2000;

interface Observers {
  readonly onChange: (keys: SigningKeys) => void;
  /** Called for a new problem, which names no key material; the last valid keys stay in use. */
  readonly onProblem: (problem: Error) => void;
  readonly onRecovery: () => void;
}

export type WatchedKeys = Awaited<ReturnType<typeof watchSigningKeys>>;

/**
 * Reads the keys file every two seconds, and reports changes. @throws {SigningKeysError} if the
 * first read fails
 */
export async function watchSigningKeys(path: string, observers: Observers) {
  let text = await readKeysFile(path);
  let current = parseSigningKeys(text, path);
  let problem: Error | null = null;

  const read = async (): Promise<void> => {
    try {
      const now = await readKeysFile(path);
      if (now !== text) {
        current = parseSigningKeys(now, path);
        text = now;
        observers.onChange(current);
      }
      if (problem) observers.onRecovery();
      problem = null;
    } catch (error) {
      const reported = problem?.message;
      problem = error as Error;
      if (problem.message !== reported) observers.onProblem(problem);
    }
  };
  // Sequential, so that an older read never replaces a newer one.
  let reading = Promise.resolve();
  const readNow = (): Promise<void> => {
    reading = reading.then(read);
    return reading;
  };
  const timer = setInterval(readNow, POLL_MS).unref();
  return {
    /** The keys of the last successful read. */
    get current(): SigningKeys {
      return current;
    },
    get problem(): Error | null {
      return problem;
    },
    readNow,
    stop: () => clearInterval(timer),
  };
}
