import { resolve } from "node:path";

/** What the app reads from its environment; `main.ts` passes on the parts. */
export type Config = ReturnType<typeof readConfig>;

/** @throws Error that names every variable that is missing or wrong */
export function readConfig(variables: Readonly<Record<string, string | undefined>> = process.env) {
  const problems: string[] = [];
  const text = (name: string): string => {
    const value = variables[name] ?? "";
    if (value === "") problems.push(`${name} is missing`);
    return value;
  };
  const port = Number(variables["PORT"] || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) problems.push("PORT is not a port");
  const publicUrl = (variables["PUBLIC_URL"] || `http://localhost:${port}`).replace(/\/+$/, "");
  if (!/^https?:\/\/[^/]+$/.test(publicUrl) || !URL.canParse(publicUrl)) problems.push("PUBLIC_URL is not an origin");
  const config = {
    /** Where the app listens, on this machine alone. */
    port,
    /** Where browsers reach the app. `PUBLIC_URL/callback` is the redirect URI. */
    publicUrl,
    /** The folder of its SQLite files. It holds refresh tokens: for its owner alone. */
    dataDir: resolve(variables["DATA_DIR"] || ".data/sample-partner"),
    partnerConnect: {
      baseUrl: text("PARTNER_CONNECT_URL"),
      clientId: text("CLIENT_ID"),
      clientSecret: text("CLIENT_SECRET"),
    },
  };
  if (problems.length > 0) throw new Error(problems.join("; "));
  return config;
}
