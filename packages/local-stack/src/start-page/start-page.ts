import { join } from "node:path";
import type { DemoData } from "../demo/demo-file.ts";
import { readJson } from "../stack/json-file.ts";
import { type LocalStackState, stateFile } from "../stack/state.ts";
import { startPageView } from "./start-page.view.ts";

/** The page of the stack that has this folder, as its files say now. Either is missing while the stack starts. */
export async function startPage(dataDir: string): Promise<string> {
  const [state, demo] = await Promise.all([
    readJson<LocalStackState>(stateFile(dataDir)),
    readJson<DemoData>(join(dataDir, "demo.json")),
  ]);
  return startPageView({ dataDir, state, demo }).toString();
}
