import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { samplePartner } from "./app.ts";

process.umask(0o077); // the folder holds refresh tokens
try {
  const required = (name: string): string => {
    const value = process.env[name];
    if (!value) throw new Error(`${name} is missing`);
    return value;
  };
  const [baseUrl, clientId] = [required("PARTNER_CONNECT_URL"), required("CLIENT_ID")];
  const partnerConnect = { baseUrl, clientId, clientSecret: required("CLIENT_SECRET") };
  const { PORT, PUBLIC_URL, DATA_DIR, PRODUCT_NAME } = process.env;
  const port = Number(PORT || 3000);
  const publicUrl = new URL(PUBLIC_URL || `http://localhost:${port}`).origin;
  const dataDir = resolve(DATA_DIR || ".data/sample-partner");
  mkdirSync(dataDir, { recursive: true });
  const app = samplePartner({
    publicUrl,
    dataDir,
    partnerConnect,
    productName: PRODUCT_NAME || "Partner Connect",
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void app.close());
  await app.listen({ host: "localhost", port });
  process.stdout.write(`${publicUrl}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
