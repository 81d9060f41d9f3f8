import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@partner-connect/local-stack";
import type { StackUnderTest } from "../stack/stacks.ts";
import type { PartnerClient } from "./onboarding.ts";

/** The redirect URI that a client registers for the sample. On loopback any port matches. */
export const SAMPLE_REDIRECT_URI = "http://localhost:3000/callback";

const MAIN = fileURLToPath(
  new URL("../../../packages/sample-partner/src/main.ts", import.meta.url),
);

export async function startSamplePartner(
  stack: Pick<StackUnderTest, "base_url">,
  client: PartnerClient,
) {
  const dataDir = await mkdtemp(join(tmpdir(), "partner-connect-sample-"));
  const port = await freePort();
  let output = "";

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
  const ended = once(child, "exit");
  child.stderr.on("data", (chunk: Buffer) => (output += chunk));
  await new Promise<void>((resolve, reject) => {
    ended.then(() => reject(new Error(`the sample did not start: ${output}`)));
    // The app prints its address when it listens. Its log may have lines before that.
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk;
      if (output.includes(`http://localhost:${port}\n`)) resolve();
    });
  });
  return {
    url: `http://localhost:${port}`,
    /** The folder of its SQLite files. */
    dataDir,
    output: () => output,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      await rm(dataDir, { recursive: true });
    },
  };
}
