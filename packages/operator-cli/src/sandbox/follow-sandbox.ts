import { readFile } from "node:fs/promises";
import type { Config } from "../config.ts";
import { localStackFile } from "../data-dir.ts";
import { setPresent } from "../present.ts";
import { addressIn, callSandbox } from "./sandbox-call.ts";

/** Lets the commands take a sandbox's time for the present, where they work on one. What they do shall not be in its past. */
export async function followSandbox({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== undefined) return;
  const address = addressIn(await readFile(localStackFile(dataDir), "utf8").catch(() => ""));
  if (!address) return;
  const answer = await callSandbox<{ now: string }>(address, "/now").catch(() => null);
  if (answer) setPresent(new Date(answer.now));
}
