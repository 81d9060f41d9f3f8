import { mkdir, mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isFreeOnLocalhost } from "../processes/localhost-port.ts";
import { startWatchdog } from "../processes/supervised-process.ts";
import { removeData } from "../stack/data-folder.ts";
import { type RunningProcesses, runningProcesses } from "../stack/state.ts";
import { startSamplePartner } from "./start-sample-partner.ts";

let dataDir: string;
let processes: RunningProcesses;
let reported: string[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "partner-connect-dev-"));
  await mkdir(join(dataDir, "logs"));
  reported = [];
  const report = (line: string) => void reported.push(line);
  processes = runningProcesses({ report, changed: () => {}, watchdog: startWatchdog(), signal: undefined });
});
afterEach(async () => {
  await processes.stop();
  await removeData(dataDir);
});

const start = (clientId: string) => {
  const client = { client_id: clientId, client_secret: "pcs_x", name: "App", redirect_uris: [], scope: "" };
  return startSamplePartner({ dataDir, baseUrl: "http://localhost:9", client }, processes);
};

/** The first port that the sample would take, and a server of another app on it. Another stack may be faster. */
async function occupyFirstPort() {
  for (let port = 3000; ; port++) {
    if (!(await isFreeOnLocalhost(port))) continue;
    const other = createServer();
    const listening = new Promise<boolean>((resolve, reject) => {
      other.once("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "EADDRINUSE") resolve(false);
        else reject(error);
      });
      other.listen(port, "localhost", () => resolve(true));
    });
    if (await listening) return { port, other };
  }
}

test("the sample app takes the next port where another app has the first, and answers there", async () => {
  const { port, other } = await occupyFirstPort();
  const url = await start("client_x");
  expect(Number(new URL(url ?? "").port)).toBeGreaterThan(port);
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  expect(processes.list()).toEqual([{ name: "sample-partner", url, pid: expect.any(Number) }]);
  other.close();
});

test("a sample app that does not start is reported with its reason, and is no failure of the stack", async () => {
  expect(await start("")).toBe(null);
  expect(reported.at(-1)).toMatch(/^the sample partner app is left out: .*[\s\S]*CLIENT_ID is missing/);
  expect(processes.list()).toEqual([]);
});
