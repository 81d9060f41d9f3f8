import { createLogger } from "@partner-connect/service-runtime";
import { startTracing } from "@partner-connect/service-runtime/tracing";
import { readGatewayConfig } from "../config.ts";
import { startPage } from "../start-page/start-page.ts";
import { gateway, listenOnLocalhost } from "./gateway.ts";

const config = readGatewayConfig();
const tracing = await startTracing(config.tracing, createLogger("gateway", "warn"));
const close = await listenOnLocalhost(gateway({ ...config, startPage: () => startPage(config.dataDir) }), config.port);
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(
    signal,
    () =>
      void close()
        .finally(() => tracing?.close())
        .finally(() => process.exit(0)),
  );
}
