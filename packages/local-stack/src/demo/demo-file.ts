import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readJson, writeJson } from "../stack/state.ts";

export const MERCHANTS = [
  {
    name: "Nora Northwind",
    email: "nora@northwind.example",
    shops: [
      { name: "Northwind Coffee", domain: "northwind-coffee.example", plan: "advanced_attribution", responses: 3000 },
      { name: "Northwind Tea", domain: "northwind-tea.example", plan: "standard", responses: 1500 },
    ],
  },
  {
    name: "Liam Lumen",
    email: "liam@lumen.example",
    shops: [{ name: "Lumen Lamps", domain: "lumen-lamps.example", plan: "standard", responses: 500 }],
  },
] as const;

/** A partner whose app runs on this machine: a loopback redirect URI holds for any port. */
export const CLIENT = {
  name: "Attribution Insights",
  redirectUris: ["http://localhost:3000/callback"],
  scope: ["responses:read", "sources:write"],
  publisher: "Insights Demo Ltd",
  website: "https://insights.example/",
  privacyPolicy: "https://insights.example/privacy",
  contact: "privacy@insights.example",
  logo: readFileSync(new URL("demo-logo.webp", import.meta.url)),
  // A start that was interrupted may have made it already, and its secret is lost.
  allowDuplicateName: true,
} as const;

const PARTNER = { name: "Pia Insights", email: "pia@insights.example" } as const;

/** DATA_DIR/demo.json: the demo data's credentials, which the database has only as hashes. */
export interface DemoData {
  /** The day up to which responses were made, so that they can be made again the same. */
  readonly until: string;
  readonly merchants: readonly DemoMerchant[];
  /** Sees the client's pages. */
  readonly partner: DemoMerchant;
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
    merchants: MERCHANTS.map(withPassword),
    partner: withPassword(PARTNER),
    client: null,
    api_key: null,
  };
  await writeDemoFile(dataDir, demo);
  return demo;
}

function withPassword({ name, email }: { readonly name: string; readonly email: string }): DemoMerchant {
  return { name, email, password: randomBytes(12).toString("base64url") };
}

export async function writeDemoFile(dataDir: string, demo: DemoData): Promise<void> {
  await writeJson(join(dataDir, "demo.json"), demo);
}
