import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export type Restartable = ReturnType<typeof restartable>;

/** A program of Node that is started again after each kill. */
export function restartable(path: string, env: Readonly<Record<string, string>>) {
  /** Exits that no signal caused. */
  const faults: string[] = [];
  const start = (): ChildProcess => {
    const child = spawn(process.execPath, [path], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "ignore", "inherit"],
    });
    child.once("exit", (code, signal) => {
      if (signal === null) faults.push(`${path} exited with ${code}`);
    });
    return child;
  };
  let child = start();
  const end = async () => {
    const ended = once(child, "exit");
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await ended;
    }
  };
  return {
    faults,
    async kill() {
      await end();
      child = start();
    },
    stop: end,
  };
}
