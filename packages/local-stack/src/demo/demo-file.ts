import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { readJson, writeJson } from "../stack/json-file.ts";
import { MERCHANTS } from "./demo-plan.ts";

/** DATA_DIR/demo.json: the demo data's credentials, which the database has only as hashes. */
export interface DemoData {
  /** The day up to which responses were made, so that they can be made again the same. */
  readonly until: string;
  readonly merchants: readonly DemoMerchant[];
  /** Null until everything is loaded. */
  readonly client: DemoClient | null;
  /** Of the first shop. */
  readonly api_key: string | null;
}

export interface DemoMerchant {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export interface DemoClient {
  readonly client_id: string;
  readonly client_secret: string;
  readonly name: string;
  readonly redirect_uris: readonly string[];
  readonly scope: string;
}

/** What the file says. Without a file: new passwords, which are written to the file before they are used. */
export async function readDemoFile(dataDir: string): Promise<DemoData> {
  const known = await readJson<DemoData>(join(dataDir, "demo.json"));
  if (known) return known;
  const demo: DemoData = {
    until: new Date(new Date().setUTCHours(0, 0, 0, 0)).toISOString(),
    merchants: MERCHANTS.map(({ name, email }) => ({ name, email, password: randomBytes(12).toString("base64url") })),
    client: null,
    api_key: null,
  };
  await writeDemoFile(dataDir, demo);
  return demo;
}

export async function writeDemoFile(dataDir: string, demo: DemoData): Promise<void> {
  await writeJson(join(dataDir, "demo.json"), demo);
}
