import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { claimPort } from "@partner-connect/service-runtime/free-port";
import { machineEnvironment } from "../config.ts";
import type { DemoClient } from "../demo/demo-file.ts";
import { isFreeOnLocalhost } from "../processes/localhost-port.ts";
import { StartFailure } from "../processes/start-failure.ts";
import { startProcess } from "../processes/start-process.ts";
import { step } from "../processes/supervised-process.ts";
import type { RunningProcesses } from "../stack/state.ts";

export interface SamplePartnerOptions {
  readonly dataDir: string;
  readonly baseUrl: string;
  /** Whose app it is. A loopback redirect URI holds for any port. */
  readonly client: DemoClient;
}

const MAIN = fileURLToPath(new URL("../../../sample-partner/src/main.ts", import.meta.url));

/** What a newcomer expects of an app under development. */
const FIRST_PORT = 3000;
const LAST_PORT = 3099;

/** Starts the sample app on port 3000, or the next that is free, and returns its address. Null, and a report, if it doesn't start. */
export async function startSamplePartner(
  options: SamplePartnerOptions,
  processes: RunningProcesses,
): Promise<string | null> {
  const { report, signal } = processes.context;
  return await step(report, "starting the sample partner app", async () => {
    let why = `no port from ${FIRST_PORT} to ${LAST_PORT} is free`;
    for (let port = FIRST_PORT; port <= LAST_PORT; port++) {
      // Where another stack's app is starting, that one would soon answer in place of this one.
      if (!(await claimPort(port)) || !(await isFreeOnLocalhost(port))) continue;
      try {
        return await start(options, port, processes);
      } catch (error) {
        if (!(error instanceof StartFailure) || signal?.aborted) throw error;
        why = error.message;
        // Another process was faster, if the port is taken now.
        if (await isFreeOnLocalhost(port)) break;
      }
    }
    report(`the sample partner app is left out: ${why}`);
    return null;
  });
}

async function start(options: SamplePartnerOptions, port: number, processes: RunningProcesses): Promise<string> {
  const { dataDir, client } = options;
  const data = join(dataDir, "sample-partner");
  await mkdir(data, { mode: 0o700, recursive: true });
  const url = `http://localhost:${port}`;
  const sample = await startProcess(
    {
      name: "sample-partner",
      url,
      command: process.execPath,
      args: [MAIN],
      env: {
        ...machineEnvironment(),
        PORT: String(port),
        DATA_DIR: data,
        PARTNER_CONNECT_URL: options.baseUrl,
        CLIENT_ID: client.client_id,
        CLIENT_SECRET: client.client_secret,
      },
      log: join(dataDir, "logs", "sample-partner.log"),
      serves: async () => (await fetch(`http://127.0.0.1:${port}/livez`)).ok,
    },
    processes.context,
  );
  await processes.add(Promise.resolve(sample));
  return url;
}
