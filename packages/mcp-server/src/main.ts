import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { shopWithApiKey } from "@partner-connect/partner-sdk";
import { ConfigurationError } from "@partner-connect/service-runtime/environment";
import { readConfig } from "./config.ts";
import { createServer } from "./server.ts";

// stdout belongs to the protocol: everything else is for stderr.
try {
  const server = createServer(shopWithApiKey(readConfig()));
  const end = () => void server.close().finally(() => process.exit(0));
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, end);
  process.stdin.on("close", end);
  await server.connect(new StdioServerTransport());
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
