import { readGatewayConfig } from "../config.ts";
import { gateway } from "./gateway.ts";
import { listenOnLocalhost } from "./listen-on-localhost.ts";

const config = readGatewayConfig();
const close = await listenOnLocalhost(gateway(config), config.port);
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => void close().finally(() => process.exit(0)));
}
