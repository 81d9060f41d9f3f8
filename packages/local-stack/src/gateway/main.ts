import { createLogger } from "@partner-connect/service-runtime";
import { startTracing } from "@partner-connect/service-runtime/tracing";
import { readGatewayConfig } from "../config.ts";
import { startPage } from "../start-page/start-page.ts";
import { gateway, listenOnLocalhost } from "./gateway.ts";

const config = readGatewayConfig();
const tracing = await startTracing(config.tracing, createLogger("gateway", "warn"));
const { mailPort, ...options } = config;
const mailbox = mailPort === null ? undefined : await (await import("../mail/mailbox.ts")).startMailbox(mailPort);
const app = gateway({ ...options, mailbox, startPage: () => startPage(config.dataDir) });
const close = await listenOnLocalhost(app, config.port);
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(
    signal,
    () =>
      void close()
        .finally(() => mailbox?.close())
        .finally(() => tracing?.close())
        .finally(() => process.exit(0)),
  );
}
