import { execFile, execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { countCalls, reportRow } from "./row.ts";

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

function expectAllAnswered(connections: string, stdout: string): void {
  const outcomes = JSON.parse(stdout);
  reportRow({ scenario: `12 reloads of Caddy: ${connections}`, ...countCalls([outcomes], [200]) });
  expect(outcomes).toEqual({ 200: expect.any(Number) });
  expect(outcomes["200"]).toBeGreaterThan(500);
}

test("a reload of the gateway cuts off nobody who keeps his connection [gateway.reload]", async () => {
  expectAllAnswered("connections that are kept", (await run(process.execPath, [PROGRAM, "kept"])).stdout);
}, 120_000);

test.skipIf(!CAN_HAVE_A_NETWORK)(
  "nor who comes with a new one, where the kernel hands waiting connections on [gateway.reload]",
  async () => {
    const { stdout } = await run("unshare", [...OWN_NETWORK, process.execPath, PROGRAM, "new"]);
    expectAllAnswered("new connections", stdout);
  },
  120_000,
);
