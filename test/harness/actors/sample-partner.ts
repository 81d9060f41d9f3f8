import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@partner-connect/local-stack";
import type { StackUnderTest } from "../stack/stacks.ts";
import type { PartnerClient } from "./onboarding.ts";

/** What a client must have registered for the sample: on this machine it comes with any port. */
export const SAMPLE_REDIRECT_URI = "http://localhost:3000/callback";

/** The sample partner app as a process of its own. */
export interface SamplePartner {
  readonly url: string;
  /** Of its SQLite files. */
  readonly dataDir: string;
  /** All that it has printed and logged. */
  output(): string;
  /** Ends it by kill -9, and starts it again with its data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const MAIN = fileURLToPath(new URL("../../../packages/sample-partner/src/main.ts", import.meta.url));

export async function startSamplePartner(
  stack: Pick<StackUnderTest, "base_url">,
  client: PartnerClient,
): Promise<SamplePartner> {
  const dataDir = await mkdtemp(join(tmpdir(), "partner-connect-sample-"));
  const port = await freePort();
  let output = "";

  async function start(): Promise<ChildProcess> {
    const child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env["PATH"],
        PORT: String(port),
        DATA_DIR: dataDir,
        PARTNER_CONNECT_URL: stack.base_url,
        CLIENT_ID: client.clientId,
        CLIENT_SECRET: client.secret,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    return await new Promise((resolve, reject) => {
      child.once("exit", () => reject(new Error(`the sample did not start: ${output}`)));
      child.stderr.on("data", (chunk: Buffer) => (output += chunk));
      // It prints its address when it listens. Its log may have lines before that.
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk;
        if (String(chunk).includes(`http://localhost:${port}\n`)) resolve(child);
      });
    });
  }

  async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  }

  let running = await start();
  return {
    url: `http://localhost:${port}`,
    dataDir,
    output: () => output,
    async restart() {
      await end(running, "SIGKILL");
      running = await start();
    },
    async stop() {
      await end(running, "SIGTERM");
      await rm(dataDir, { recursive: true });
    },
  };
}
