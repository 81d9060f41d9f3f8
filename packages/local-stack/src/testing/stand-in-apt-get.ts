import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pRetry from "p-retry";

/** A machine's PATH without Redis, on which an apt-get stands that brings it. */
export interface BareMachine {
  readonly path: string;
  /** What apt-get was asked for, in order. */
  calls(): Promise<string[]>;
  /** Has another apt-get at work, until `unlock`. */
  lock(): Promise<unknown>;
  unlock(): Promise<void>;
  /** Resolves when a copy was refused. */
  refused(): Promise<unknown>;
  remove(): Promise<void>;
}

export interface StandInOptions {
  /** The Redis of this machine, which an installation links into the PATH. */
  readonly redisServer: string;
  /** Shell commands that `apt-get install` begins with, such as a failure. */
  readonly install?: string;
  /** Without apt-get at all. */
  readonly noAptGet?: boolean;
}

/**
 * Only apt-get is made up, as a test may not change the machine; the Redis that it brings is real. As apt-get does, it
 * refuses to run beside another copy of itself.
 */
export async function bareMachine(options: StandInOptions): Promise<BareMachine> {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-bare-"));
  const bin = join(folder, "bin");
  const aptGet = join(bin, "apt-get");
  await mkdir(bin);
  if (!options.noAptGet) await writeFile(aptGet, script(bin, options));
  if (!options.noAptGet) await chmod(aptGet, 0o755);
  return {
    path: bin,
    async calls() {
      return (await readFile(`${aptGet}.calls`, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
    },
    lock: () => mkdir(`${aptGet}.lock`),
    unlock: () => rm(`${aptGet}.lock`, { recursive: true }),
    refused: () => pRetry(() => readFile(`${aptGet}.refused`), { retries: 1000, minTimeout: 50, factor: 1 }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function script(bin: string, { redisServer, install = "" }: StandInOptions): string {
  return `#!/bin/sh
PATH=/usr/bin:/bin
verb=
for word; do case $word in update | install) verb=$word ;; esac; done
if ! mkdir "$0.lock" 2>/dev/null; then
  : >"$0.refused"
  echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 4711 (apt-get)' >&2
  echo 'E: Unable to lock directory /var/lib/apt/lists/' >&2
  exit 100
fi
trap 'rmdir "$0.lock"' EXIT
echo "$verb" >>"$0.calls"
sleep 0.2
[ "$verb" = install ] || exit 0
${install}
ln -sf '${redisServer}' '${bin}/redis-server'
`;
}
