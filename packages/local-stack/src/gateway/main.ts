import { type GatewayConfig, gateway, listenOnLocalhost } from "./gateway.ts";
import { startMailbox } from "./mailbox.ts";

/** The one argument, as JSON. */
const { id, port, mailPort, ...servers } = JSON.parse(process.argv[2] ?? "") as GatewayConfig;
const mailbox = mailPort === null ? undefined : await startMailbox(mailPort);
const app = gateway(servers, mailbox);
app.addHook("onSend", async ({ url }, reply) => {
  if (url === "/none") reply.header("x-gateway-id", id);
});
await listenOnLocalhost(app, port);
