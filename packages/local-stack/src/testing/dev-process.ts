import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

export interface DevProcess {
  readonly process: ChildProcess;
  /** All that it has printed. */
  output(): string;
  /** Resolves with its exit code. */
  readonly exit: Promise<number | null>;
  /** Resolves with the address that it prints when everything is up. */
  ready(): Promise<string>;
}

/** `pnpm dev`, without pnpm. It has only these variables, beside PATH and HOME. */
export function startDev(env: Readonly<Record<string, string>>): DevProcess {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk));
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  let ended = false;
  void exit.then(() => {
    ended = true;
  });
  return {
    process: child,
    output: () => output,
    exit,
    async ready() {
      for (;;) {
        const line = /^ready (.*)$/m.exec(output)?.[1];
        if (line !== undefined) return line;
        if (ended) throw new Error(`dev ended:\n${output}`);
        await sleep(50);
      }
    },
  };
}
