import { readFile } from "node:fs/promises";
import { addressIn, callSandbox } from "../commands/sandbox/sandbox-call.ts";
import { setPresent } from "../terminal/present.ts";
import type { Config } from "./config.ts";
import { localStackFile } from "./data-dir.ts";

/** Lets the commands take a sandbox's time for the present, where they work on one. What they do shall not be in its past. */
export async function followSandbox({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== undefined) return;
  const address = addressIn(await readFile(localStackFile(dataDir), "utf8").catch(() => ""));
  if (!address) return;
  const answer = await callSandbox<{ now: string }>(address, "/now").catch(() => null);
  if (answer) setPresent(new Date(answer.now));
}
