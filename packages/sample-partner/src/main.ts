import { mkdirSync } from "node:fs";
import { samplePartner } from "./app.ts";
import { readConfig } from "./config.ts";

process.umask(0o077);
try {
  const config = readConfig();
  mkdirSync(config.dataDir, { recursive: true });
  const app = await samplePartner(config);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void app.close());
  await app.listen({ host: "localhost", port: config.port });
  process.stdout.write(`${config.publicUrl}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
