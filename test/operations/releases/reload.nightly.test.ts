import { execFile, execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { countCalls, reportRow } from "../row.ts";

const PROGRAM = fileURLToPath(new URL("reload-load.ts", import.meta.url));
const run = promisify(execFile);

/** A network of its own, in which the kernel's setting is as docker-compose.yml has it. */
const OWN_NETWORK = [
  ...["--net", "sh", "-c"],
  'ip link set lo up && echo 1 > /proc/sys/net/ipv4/tcp_migrate_req && exec "$@"',
  "sh",
];
const CAN_HAVE_A_NETWORK = process.getuid?.() === 0 && works("unshare", [...OWN_NETWORK, "true"]);

function works(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

// Without the setting it is one of 170. The kernel hands on what waits to be accepted, and a handshake at that very instant may be lost.
test.skipIf(!CAN_HAVE_A_NETWORK)(
  "a reload refuses at most one of a thousand new connections, where the kernel hands waiting ones on",
  async () => {
    const outcomes = JSON.parse((await run("unshare", [...OWN_NETWORK, process.execPath, PROGRAM, "new"])).stdout);
    const { 200: answered, ...others } = outcomes;
    const calls = countCalls([outcomes], [200]);
    reportRow({ scenario: "12 reloads of Caddy: new connections", ...calls });
    expect(answered).toBeGreaterThan(500);
    // A connection that was refused: nothing was sent.
    expect(Object.keys(others).filter((outcome) => !outcome.startsWith("connect "))).toEqual([]);
    expect(calls.failed).toBeLessThanOrEqual(calls.requests / 1000);
  },
  120_000,
);
