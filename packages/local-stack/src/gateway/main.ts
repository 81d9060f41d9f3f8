import { type GatewayConfig, gateway, listenOnLocalhost } from "./gateway.ts";
import { startMailbox } from "./mailbox.ts";

/** The one argument, as JSON. */
const { port, mailPort, ...servers } = JSON.parse(process.argv[2] ?? "") as GatewayConfig;
const mailbox = mailPort === null ? undefined : await startMailbox(mailPort);
await listenOnLocalhost(gateway(servers, mailbox), port);
