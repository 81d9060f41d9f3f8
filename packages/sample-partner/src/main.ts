import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { samplePartner } from "./app.ts";

process.umask(0o077); // the folder holds refresh tokens
try {
  const { PARTNER_CONNECT_URL, CLIENT_ID, CLIENT_SECRET, PORT, PUBLIC_URL, DATA_DIR } = process.env;
  if (!PARTNER_CONNECT_URL || !CLIENT_ID || !CLIENT_SECRET) {
    throw new Error("PARTNER_CONNECT_URL, CLIENT_ID and CLIENT_SECRET must be set");
  }
  const port = Number(PORT || 3000);
  const publicUrl = new URL(PUBLIC_URL || `http://localhost:${port}`).origin;
  const dataDir = resolve(DATA_DIR || ".data/sample-partner");
  mkdirSync(dataDir, { recursive: true });
  const partnerConnect = { baseUrl: PARTNER_CONNECT_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
  const app = samplePartner({ publicUrl, dataDir, partnerConnect });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void app.close());
  await app.listen({ host: "localhost", port });
  process.stdout.write(`${publicUrl}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
